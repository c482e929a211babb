import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'

/** Runs one statement in the tests' database. */
export async function runSql(statement: string, url: string = inject('databaseUrl')): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** The URL of an empty schema, which is dropped after the test. */
export async function createTestSchema(): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await runSql(`create schema ${name}`)
  onTestFinished(async () => void (await runSql(`drop schema ${name} cascade`)))
  const url = new URL(inject('databaseUrl'))
  url.searchParams.set('options', `-c search_path=${name}`)
  return url.href
}
