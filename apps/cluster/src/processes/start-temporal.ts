import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { childEnvironment, startServerRun, waitUntilServing } from '@moorage/engine/programs'
import { ClusterError } from '../cluster-error.js'
import { tailOf } from './log-file.js'
import type { RunningProcess } from './running-process.js'

export interface StartTemporalOptions {
  /** The server's program. */
  readonly server: string
  /** Folder of its configuration, `cluster.yaml`. */
  readonly configDir: string
  readonly frontendPort: number
  readonly env: Readonly<Record<string, string | undefined>>
  readonly logFile: string
}

const READY_TIMEOUT_MS = 60_000
const GRACE_MS = 10_000

/**
 * Starts the server's four services in one process, under the engine's watchdog, which ends it with this process, even one that is killed. Resolves
 * once the frontend serves.
 * @throws ClusterError with the end of its log; nothing is left running.
 */
export async function startTemporal(options: StartTemporalOptions, signal: AbortSignal): Promise<RunningProcess> {
  const { server, configDir, frontendPort, env, logFile } = options
  signal.throwIfAborted()
  const log = createWriteStream(logFile, { flags: 'a' })
  // A full disk is no reason to end the server.
  log.on('error', () => undefined)
  const args = ['--root', '/', '--config', configDir, '--env', 'cluster', '--allow-no-auth', 'start']
  const run = await startServerRun({
    ...{ file: server, args, graceMs: GRACE_MS, env: childEnvironment(env) },
    onLog: (line) => log.write(`${line}\n`),
    record: () => Promise.resolve(),
  })
  const ended = new Promise<string>((resolve) => {
    const tell = () => resolve(run.ending().replace(/^it (was )?ended /, ''))
    if (run.gone.aborted) tell()
    else run.gone.addEventListener('abort', tell, { once: true })
  })
  if (await waitUntilServing(frontendPort, READY_TIMEOUT_MS, AbortSignal.any([signal, run.gone]))) {
    return { pid: run.server.pid, ended, stop: () => run.stop() }
  }
  const how = run.gone.aborted ? `it ended ${await ended}` : `it did not serve within ${READY_TIMEOUT_MS / 1000} s`
  await run.stop()
  signal.throwIfAborted()
  await once(log.end(), 'close')
  throw new ClusterError(`Temporal's server did not start: ${how}. The end of ${logFile}:\n${tailOf(logFile)}`)
}
