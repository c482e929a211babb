import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Backend } from './start-backend.js'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const PROJECT = '@moorage/test-contract'
const SUITE = 'test-contract/src/replicas'

/** Runs the replica tests on this Temporal and this Postgres, and returns the exit code of vitest; nothing that it started is left. */
export async function runTests(backend: Backend, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<number> {
  signal.throwIfAborted()
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
  // One file at a time: each starts its own replicas, and Temporal's four services and two databases run beside them.
  const child = spawn(process.execPath, [vitest, 'run', '--project', PROJECT, '--maxWorkers=1', SUITE], {
    cwd: ROOT,
    // In a group of its own, which can be ended with all that the tests have started.
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...env, MOORAGE_TEST_TEMPORAL_ADDRESS: backend.temporalAddress, MOORAGE_TEST_DATABASE_URL: backend.postgresUrl },
  })
  const end = () => endGroup(child.pid)
  signal.addEventListener('abort', end, { once: true })
  process.once('exit', end)
  const [code] = (await once(child, 'exit')) as [number | null]
  end()
  process.off('exit', end)
  return code ?? 1
}

function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL')
  } catch (error) {
    // Nobody of it is left.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
