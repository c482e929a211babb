import { assertMilliseconds } from '../milliseconds.js'

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database`, with `?sslmode=` for TLS. */
  readonly url: string
  /** How many connections to work with, beside the one that listens. @default 10 */
  readonly poolSize?: number
  /** How long a call may take, in milliseconds, until it is refused: waiting for a connection, a lock and the server together. @default 5000 */
  readonly acceptDeadlineMs?: number
  /** When a task with work left is woken for the first time by a sweep, in milliseconds after the work came. @default 15000 */
  readonly wakeAfterMs?: number
  /** Milliseconds since the epoch. @default the clock of the database, which all processes share */
  readonly now?: () => number
  /** From 0 to 1, for the jitter of retries and wakes. @default Math.random */
  readonly random?: () => number
}

export interface PostgresStoreSettings {
  readonly url: string
  readonly poolSize: number
  readonly acceptDeadlineMs: number
  readonly wakeAfterMs: number
  readonly now: (() => number) | undefined
  readonly random: () => number
}

/** @throws TypeError that names the option which cannot be used. */
export function resolveSettings(options: PostgresStoreOptions): PostgresStoreSettings {
  const { url, poolSize = 10, acceptDeadlineMs = 5000, wakeAfterMs = 15_000, now, random = Math.random } = options
  if (!(Number.isInteger(poolSize) && poolSize > 0)) throw new TypeError(`poolSize must be a number of connections, not ${poolSize}`)
  // Postgres takes a timeout of 0 as none.
  assertMilliseconds('acceptDeadlineMs', acceptDeadlineMs, 1)
  assertMilliseconds('wakeAfterMs', wakeAfterMs, 0)
  return { url, poolSize, acceptDeadlineMs, wakeAfterMs, now, random }
}
