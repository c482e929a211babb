import Database from 'better-sqlite3'
import { expect, onTestFinished } from 'vitest'
import type { TestServer } from './test-server.js'

/** One line of the audit, as it is in the database. */
export interface AuditLine {
  readonly tenant: string
  readonly subject: string
  readonly participant: string
  readonly task_id: string | null
  readonly operation: string
  readonly outcome: string
  readonly reason: string | null
}

/** The database of a test server, as it is on disk. */
export interface TestDatabase {
  /** All that is recorded, but for the audit. */
  content(): string
  /** The audit from its beginning, or without the first `after` lines. */
  audit(after?: number): readonly AuditLine[]
  close(): void
}

export function openTestDatabase(path: string): TestDatabase {
  const database = new Database(path, { readonly: true })
  const tables = database
    .prepare<[], { name: string }>("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'")
    .all()
    .map(({ name }) => name)
    .filter((name) => name !== 'audit')
  const selects = tables.map((table) => database.prepare(`select * from "${table}"`).raw())
  const audit = database.prepare<[number], AuditLine>(
    'select tenant, subject, participant, task_id, operation, outcome, reason from audit order by id limit -1 offset ?',
  )
  return {
    content: () => JSON.stringify(selects.map((select) => select.all())),
    audit: (after = 0) => audit.all(after),
    close: () => database.close(),
  }
}

/** Runs what leaves nothing but lines of the audit, and returns those. */
export async function auditOf({ path }: TestServer, run: () => Promise<unknown>): Promise<readonly Partial<AuditLine>[]> {
  const database = openTestDatabase(path)
  onTestFinished(database.close)
  const before = { content: database.content(), lines: database.audit().length }
  await run()
  expect(database.content()).toBe(before.content)
  return database.audit(before.lines)
}
