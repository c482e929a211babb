import { EngineError } from './engine-error.js'
import { type EngineRecord, recordedServer } from './engine-record.js'
import { endProcess, isLiving, waitUntilGone } from './process-identity.js'

/** The watchdog's grace, and as much again as a busy machine may need. */
const watchdogLimitMs = 6_000

/**
 * Makes sure that nothing of a dead owner's engine still runs: waits for its watchdog to end the server, and ends both where it does not. Two
 * servers on one database file would ruin it.
 * @throws EngineError `folder-in-use` where the server survives even SIGKILL.
 */
export async function endPredecessor(
  record: Partial<EngineRecord> | undefined,
  graceMs: number,
  onProgress: (line: string) => void,
): Promise<void> {
  const server = recordedServer(record)
  const watchdog = record?.watchdog
  if (watchdog !== undefined && (await isLiving(watchdog))) {
    onProgress(`Waiting for the engine of an earlier process to end (watchdog ${watchdog.pid})`)
    await waitUntilGone(watchdog, watchdogLimitMs)
  }
  if (server !== undefined && !(await endProcess(server, graceMs))) {
    throw new EngineError(
      'folder-in-use',
      `A Temporal server of an earlier process still has the database and cannot be ended (pid ${server.pid}). End it, then start again.`,
    )
  }
  if (watchdog !== undefined) await endProcess(watchdog, 0)
}
