import { type EngineCli, EngineError, ensureEngine, findEngine, startEngine } from '@moorage/engine'
import type { TemporalOptions } from '@moorage/workflow/client'
import type { RawEnvironment } from './environment.js'
import type { AppPorts } from './run-app.js'
import type { SharedConfig } from './shared-config.js'
import type { Teardown } from './teardown.js'
import { engineTemporal, externalTemporal } from './temporal-options.js'

/** What an embedded engine needs. */
export interface EngineConfig extends Pick<SharedConfig, 'temporal' | 'dataDir' | 'payloadKeys'> {
  readonly temporalCli: string | undefined
}

/** A sentence where TEMPORAL_CLI names no Temporal CLI that can be used; none where it does. */
export async function checkTemporalCli(cli: string, env: RawEnvironment): Promise<readonly string[]> {
  try {
    await findEngine({ cli, env })
    return []
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    return [error.message.replace(/\.$/, '')]
  }
}

/** The Temporal server of the configuration: one that is there (or will be, it is not asked), or an embedded engine that is started here. */
export async function startTemporal(
  { temporal, temporalCli, dataDir, payloadKeys }: EngineConfig,
  { env, progress, logger, signal }: AppPorts & { readonly env: RawEnvironment },
  teardown: Teardown,
): Promise<TemporalOptions> {
  if (temporal.kind === 'external') return externalTemporal(temporal, payloadKeys)
  if (dataDir === undefined) throw new TypeError('startTemporal: an embedded engine needs a dataDir')
  const cli = await unlessStopped(signal, findCli(temporalCli, env, progress))
  const engine = await startEngine({
    cli,
    dataDir,
    env,
    onProgress: progress,
    onRestart: (restart) => logger.warn({ restart }, 'the engine died and was started again'),
    onLog: (line) => logger.debug({ line }, 'the engine says'),
  })
  teardown.add('engine', () => engine.stop())
  logger.info({ address: engine.address, version: engine.version, enginePid: engine.pid }, 'the engine runs')
  return engineTemporal(engine, payloadKeys, dataDir)
}

function findCli(cli: string | undefined, env: RawEnvironment, onProgress: AppPorts['progress']): Promise<EngineCli> {
  return ensureEngine({ cli, path: env['PATH'], env, onProgress })
}

/** Fetching the CLI can take minutes, and what it leaves is swept up by the next fetch. */
async function unlessStopped<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  signal.throwIfAborted()
  return await new Promise<T>((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
