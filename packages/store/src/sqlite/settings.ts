import { assertMilliseconds } from '../milliseconds.js'

export interface SqliteStoreOptions {
  /** The file of the database; it and its directory are made where they are missing. */
  readonly path: string
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
  /** From 0 to 1, for the jitter of retries and wakes. @default Math.random */
  readonly random?: () => number
  /** How long to wait, in milliseconds, while another process holds the database's lock. @default 5000 */
  readonly acceptDeadlineMs?: number
  /** When a task with work left is woken for the first time by a sweep, in milliseconds after the work came. @default 15000 */
  readonly wakeAfterMs?: number
}

export type SqliteStoreSettings = Required<SqliteStoreOptions>

/** @throws TypeError that names the option which cannot be used. */
export function resolveSettings(options: SqliteStoreOptions): SqliteStoreSettings {
  const { path, now = Date.now, random = Math.random, acceptDeadlineMs = 5000, wakeAfterMs = 15_000 } = options
  if (path === '' || path.startsWith(':') || path.startsWith('file:')) {
    throw new TypeError(`path must name a file, not '${path}': a database in memory would not keep what it accepts`)
  }
  assertMilliseconds('acceptDeadlineMs', acceptDeadlineMs, 0)
  assertMilliseconds('wakeAfterMs', wakeAfterMs, 0)
  return { path, now, random, acceptDeadlineMs, wakeAfterMs }
}
