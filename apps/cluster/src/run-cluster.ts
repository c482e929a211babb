import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cacheFolder } from '@moorage/engine'
import { announcement } from './announcement.js'
import { folderOf, openFolder } from './cluster-folder.js'
import { runDemo } from './demo/run-demo.js'
import { describeEvent } from './describe-event.js'
import type { Mode } from './parse-arguments.js'
import { choosePorts, type Ports } from './ports.js'
import type { ProcessLog } from './process-log.js'
import type { ProcessEvent } from './processes/keep-running.js'
import { runTests } from './run-tests.js'
import { type StartBackendOptions, startBackend } from './start-backend.js'
import { type StartReplicasOptions, startReplicas } from './start-replicas.js'
import { Teardown } from './teardown.js'
import { ensureServer } from './temporal/ensure-server.js'

export interface RunClusterOptions {
  readonly mode: Mode
  readonly env: NodeJS.ProcessEnv
  readonly cwd: string
  readonly log: ProcessLog
  /** Gets what is being done, a line at a time. */
  readonly tell: (line: string) => void
  /** Gets what was asked for. */
  readonly print: (text: string) => void
}

/** A lost turn is noticed sooner than by default, or the demo would be mostly waiting. */
const DEMO_ENVIRONMENT = { MOORAGE_AGENT: undefined, MOORAGE_HEARTBEAT_TIMEOUT_MS: '5000', MOORAGE_RATE_PER_MINUTE: '0', PORT: undefined }

/** Starts what the mode needs, does what it is for, and stops everything again. Resolves with the exit code. */
export async function runCluster(options: RunClusterOptions, signal: AbortSignal): Promise<number> {
  const { mode, cwd, tell } = options
  const env = mode === 'demo' ? { ...options.env, ...DEMO_ENVIRONMENT } : options.env
  const programs = await ensureServer({ cacheDir: cacheFolder(env['XDG_CACHE_HOME']), env, signal, onProgress: tell })
  const folder = await openFolder(folderOf(mode, env['MOORAGE_CLUSTER_DIR'], cwd))
  const teardown = new Teardown((name) => tell(`Stopping ${name}.`))
  try {
    const ports = await choosePorts(folder.path, env['PORT'])
    const onEvent = (event: ProcessEvent) => {
      options.log.record(event)
      // The demo tells itself what becomes of those that it kills.
      if (mode !== 'demo' || event.kind === 'failed' || (event.kind === 'up' && event.starts === 1)) tell(describeEvent(event))
    }
    tell(`Starting the cluster in ${folder.path}.`)
    await folder.claim.announce(`http://127.0.0.1:${ports.proxy}`)
    return await work(options, { folder: folder.path, ports, programs, env, cwd, onEvent, teardown }, signal)
  } finally {
    await teardown.run()
    await folder.claim.release()
  }
}

type Context = StartBackendOptions & Omit<StartReplicasOptions, 'backend'> & { readonly env: NodeJS.ProcessEnv; readonly ports: Ports }

async function work({ mode, log, print }: RunClusterOptions, context: Context, signal: AbortSignal): Promise<number> {
  const backend = await startBackend(context, signal)
  if (mode === 'test') return runTests(backend, context.env, signal)
  const { url, processes } = await startReplicas({ ...context, backend }, signal)
  if (mode === 'demo') return (await runDemo({ url, log, print }, signal)) ? 0 : 1
  const { ports, folder, env } = context
  print(
    announcement({
      url,
      ports,
      folder,
      processes: [...processes, ...backend.processes],
      isBuiltIn: !env['MOORAGE_AGENT'],
      messageId: randomUUID(),
    }),
  )
  if (!signal.aborted) await once(signal, 'abort')
  return 0
}
