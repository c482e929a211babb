import { join, resolve } from 'node:path'
import { readClaimFile } from './claim-file.js'
import { isLiving, type ProcessIdentity } from './process-identity.js'

/** The namespace every engine has. */
export const engineNamespace = 'default'

/** What `engine.json` says beside its owner. It is written before each step it tells of, so that nothing can live that it does not name. */
export interface EngineRecord {
  /** Process id of the server; absent while there is none. */
  readonly pid?: number
  /** Start of that process, as in `ProcessIdentity`. */
  readonly startedAt?: string
  readonly watchdog?: ProcessIdentity
  /** `host:port`; absent until the server serves. */
  readonly address?: string
  readonly namespace?: string
  /** Version of the server. */
  readonly version?: string
}

/** A running engine, as another process on this machine finds it. */
export interface RunningEngine {
  /** `host:port` of the gRPC endpoint. */
  readonly address: string
  readonly namespace: string
  readonly version: string
  /** Process id of the server. */
  readonly pid: number
  /** Process id of the process that started it. */
  readonly ownerPid: number
}

/** The place of `engine.json` in a data folder. */
export function engineFile(dataDir: string): string {
  return join(resolve(dataDir), 'engine.json')
}

/** The server process that a record names. */
export function recordedServer(record: Partial<EngineRecord> | undefined): ProcessIdentity | undefined {
  return record?.pid === undefined || record.startedAt === undefined ? undefined : { pid: record.pid, start: record.startedAt }
}

/** The engine that serves from a data folder now, for a process that did not start it; undefined where none does (yet). */
export async function findRunningEngine(dataDir: string): Promise<RunningEngine | undefined> {
  const record = await readClaimFile<EngineRecord>(engineFile(dataDir))
  const server = recordedServer(record)
  if (record?.address === undefined || server === undefined || !(await isLiving(server))) return undefined
  const { address, namespace = engineNamespace, version = '', owner } = record
  return { address, namespace, version, pid: server.pid, ownerPid: owner.pid }
}

/** Process id of the living process that has an engine in a data folder, also while it starts it (again); undefined where none has. */
export async function findEngineOwner(dataDir: string): Promise<number | undefined> {
  const record = await readClaimFile<EngineRecord>(engineFile(dataDir))
  return record !== undefined && (await isLiving(record.owner)) ? record.owner.pid : undefined
}
