import { randomBytes } from 'node:crypto'
import { inject, onTestFinished } from 'vitest'
import { runSql } from './run-sql.js'

/** The URL of an empty schema, which is dropped after the test. */
export async function createTestSchema(): Promise<string> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const database = inject('databaseUrl')
  await runSql(`create schema ${name}`, database)
  onTestFinished(async () => void (await runSql(`drop schema ${name} cascade`, database)))
  const url = new URL(database)
  url.searchParams.set('options', `-c search_path=${name}`)
  return url.href
}
