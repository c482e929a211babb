import { type EngineCli, ensureEngine, startEngine } from '@moorage/engine'
import type { TemporalOptions } from '@moorage/workflow/client'
import type { Config } from './config.js'
import type { StartPorts } from './start.js'
import type { Teardown } from './teardown.js'

/** The Temporal server of the configuration: one that is there (or will be, it is not asked), or an embedded engine that is started here. */
export async function provideTemporal(config: Config, ports: StartPorts, teardown: Teardown): Promise<TemporalOptions> {
  if (config.temporal.kind === 'external') return externalOptions(config.temporal)
  const cli = await unlessStopped(ports.signal, findCli(config, ports))
  const engine = await startEngine({
    cli,
    dataDir: config.dataDir,
    env: ports.env,
    onProgress: ports.progress,
    onRestart: (restart) => ports.logger.warn({ restart }, 'the engine died and was started again'),
    onLog: (line) => ports.logger.debug({ line }, 'the engine says'),
  })
  teardown.add('engine', () => engine.stop())
  ports.logger.info({ address: engine.address, version: engine.version, enginePid: engine.pid }, 'the engine runs')
  return { address: engine.address, namespace: engine.namespace }
}

function findCli(config: Config, { env, progress }: StartPorts): Promise<EngineCli> {
  return ensureEngine({ cli: config.temporalCli, path: env['PATH'], env, onProgress: progress })
}

function externalOptions({
  address,
  namespace,
  connection: { tls, apiKey, metadata },
}: Config['temporal'] & { kind: 'external' }): TemporalOptions {
  return {
    address,
    namespace,
    ...(tls != null && { tls }),
    ...(typeof apiKey === 'string' && { apiKey }),
    ...(metadata !== undefined && { metadata }),
  }
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
