import { setTimeout as delay } from 'node:timers/promises'
import { type DataFolderOwner, findDataFolderOwner, findEngineOwner, findRunningEngine, type RunningEngine } from '@moorage/engine'
import { seconds } from './describe-runs.js'
import type { AppPorts } from './run-app.js'
import { StartError } from './start-error.js'

/** How long to wait for an engine. */
export interface EnginePatience {
  /** While nobody owns the data folder: as long as a process takes that was started at the same time. */
  readonly ownerMs: number
  /** While its owner has not got the engine to serve yet: it may have to build Temporal's CLI first. */
  readonly engineMs: number
}

const PATIENCE: EnginePatience = { ownerMs: 15_000, engineMs: 900_000 }
const LOOK_MS = 100
const SAY_EVERY_MS = 10_000

/**
 * The engine that another process runs on this data folder. One that is still being started is waited for, and every ten seconds that is said.
 * @throws StartError where there is none, or none comes.
 */
export async function waitForEngine(
  dataDir: string,
  { progress, signal }: Pick<AppPorts, 'progress' | 'signal'>,
  patience: EnginePatience = PATIENCE,
): Promise<RunningEngine> {
  const begun = performance.now()
  let saidAt = Number.NEGATIVE_INFINITY
  for (;;) {
    const engine = await findRunningEngine(dataDir)
    if (engine !== undefined) return engine
    const waited = performance.now() - begun
    const line = describeWait(dataDir, await requireStarting(dataDir, waited, patience), waited, patience)
    if (waited - saidAt >= SAY_EVERY_MS) {
      progress(line)
      saidAt = waited
    }
    await delay(LOOK_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
  }
}

/** The owner that may yet get its engine to serve; undefined while one may yet come. */
async function requireStarting(dataDir: string, waitedMs: number, patience: EnginePatience): Promise<DataFolderOwner | undefined> {
  const owner = await findDataFolderOwner(dataDir)
  const where = `${dataDir} (MOORAGE_DATA_DIR)`
  if (owner === undefined) {
    if (waitedMs < patience.ownerMs) return undefined
    const otherwise = 'or set TEMPORAL_ADDRESS to a Temporal server, and DATABASE_URL where that is not on this machine'
    throw new StartError(`No engine runs in ${where}: start apps/agent on that folder first, ${otherwise}.`)
  }
  const { pid, url } = owner
  // It serves, so that it is not about to start one.
  if (url !== undefined && (await findEngineOwner(dataDir)) === undefined) {
    throw new StartError(
      `Process ${pid} serves ${url} from ${where} without an engine there: set TEMPORAL_ADDRESS to the Temporal server that it uses.`,
    )
  }
  if (waitedMs < patience.engineMs) return owner
  throw new StartError(`Process ${pid} has not got the engine in ${where} to serve for ${seconds(waitedMs)}: look at what it says.`)
}

function describeWait(dataDir: string, owner: DataFolderOwner | undefined, waitedMs: number, patience: EnginePatience): string {
  const who = owner === undefined ? 'No engine runs' : `Process ${owner.pid} is starting the engine`
  const left = (owner === undefined ? patience.ownerMs : patience.engineMs) - waitedMs
  return `${who} in ${dataDir} (MOORAGE_DATA_DIR); waiting ${seconds(left)} for it.`
}
