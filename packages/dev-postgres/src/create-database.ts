import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** Makes an empty database, named at random unless named, on the server of this URL. Returns its URL. */
export async function createDatabase(url: string, name = `test_${randomBytes(6).toString('hex')}`): Promise<string> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query(`create database ${client.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
  const made = new URL(url)
  made.pathname = encodeURIComponent(name)
  return made.href
}
