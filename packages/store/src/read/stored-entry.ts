import type { LogEntry } from '../log-entry.js'

/** An entry with the size of its payload as it is stored. */
export interface StoredEntry {
  readonly entry: LogEntry
  readonly bytes: number
}
