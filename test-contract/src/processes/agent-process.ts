import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Rendezvous } from '../conformance-agent/rendezvous.js'
import { keepOutput } from './kept-output.js'

const MAIN = fileURLToPath(new URL('../../../apps/agent/dist/main.js', import.meta.url))
const WORKER_MAIN = fileURLToPath(new URL('../../../apps/worker/dist/main.js', import.meta.url))
const AGENT_MODULE = fileURLToPath(new URL('../conformance-agent/agent.ts', import.meta.url))

export interface AppProcess {
  readonly pid: number | undefined
  /** What the process has written to stdout and stderr so far. */
  output(): string
  /** Ends the process and resolves with its exit code, null after a signal. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

export interface AgentProcess extends AppProcess {
  readonly url: string
}

/** Starts `apps/agent` as a user would and resolves when it serves. Heartbeats and wakes are short, so that a lost process is noticed soon. */
export async function startAgentProcess(dataDir: string, env: Readonly<Record<string, string>> = {}): Promise<AgentProcess> {
  const port = await freePort()
  return startProcess([MAIN], `http://127.0.0.1:${port}`, { MOORAGE_DATA_DIR: dataDir, PORT: String(port), ...env })
}

/** Starts a Node process that prints the URL once it serves there. */
export async function startProcess(
  args: readonly string[],
  url: string,
  env: Readonly<Record<string, string>> = {},
): Promise<AgentProcess> {
  const child = spawnNode(args, env)
  const app = describeProcess(child)
  await untilServing(child, url, app.output)
  return { ...app, url }
}

/** Where scripts that such a process runs meet the test. */
export function rendezvousIn(dataDir: string): Rendezvous {
  return new Rendezvous(join(dataDir, 'conformance'))
}

/** Starts `apps/worker`; what waits for a worker is done once it runs. */
export function startWorkerProcess(env: Readonly<Record<string, string>>): AppProcess {
  return describeProcess(spawnNode([WORKER_MAIN], env))
}

function describeProcess(child: ChildProcess): AppProcess {
  return {
    pid: child.pid,
    output: collect(child),
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
      const exited = once(child, 'exit')
      child.kill(signal)
      await exited
      return child.exitCode
    },
  }
}

/** Starts `apps/agent` where it must refuse, and resolves with its exit code and what it said. */
export async function runAgentProcess(
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawnNode([MAIN], env)
  const output = collect(child)
  await once(child, 'close')
  return { code: child.exitCode, output: output() }
}

/** A port of this machine that nobody listened on a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  return address.port
}

function spawnNode(args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      MOORAGE_AGENT: AGENT_MODULE,
      MOORAGE_RATE_PER_MINUTE: '0',
      MOORAGE_HEARTBEAT_TIMEOUT_MS: '2000',
      MOORAGE_WAKE_AFTER_MS: '1000',
      LOG_LEVEL: 'warn',
      ...env,
    },
  })
}

function collect(child: ChildProcess): () => string {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
      keepOutput(child.pid, chunk)
    })
  }
  return () => output
}

/** The process prints its URLs once it serves. */
async function untilServing(child: ChildProcess, url: string, output: () => string): Promise<void> {
  const exited = once(child, 'exit')
  while (!output().includes(url)) {
    const ended = await Promise.race([exited, once(child.stdout ?? child, 'data').then(() => undefined)])
    if (ended) throw new Error(`apps/agent ended before it served:\n${output()}`)
  }
}
