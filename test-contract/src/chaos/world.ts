import type { EngineCli } from '@moorage/engine'
import type { Rendezvous } from '../conformance-agent/rendezvous.js'
import type { Finding } from './finding.js'
import type { Query } from './stored-task.js'
import type { Victim } from './victim.js'

/** Everything that runs, from the first round to the last. */
export interface World {
  /** Where clients reach the agents. */
  readonly urls: readonly string[]
  /** By the names that a plan has for them. */
  readonly victims: ReadonlyMap<string, Victim>
  readonly rendezvous: Rendezvous
  /** Asks the database, past every connection that is cut. */
  readonly query: Query
  /** Where Temporal is, past every connection that is cut. */
  temporalAddress(): Promise<string>
  /** What has ended by itself so far. */
  readonly crashes: readonly Finding[]
  /** Stops everything in order, and tells what did not stop so. */
  stop(): Promise<readonly Finding[]>
}

export interface WorldOptions {
  /** Gets all that the world keeps; its logs are in `logs`. */
  readonly folder: string
  /** For a dev server. */
  readonly cli: EngineCli
  readonly signal: AbortSignal
}
