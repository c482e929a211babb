import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Backend } from './start-backend.js'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const PROJECT = '@moorage/test-contract'
const SUITE = 'test-contract/src/replicas'

/** Runs the replica tests on this Temporal and this Postgres, and returns the exit code of vitest. */
export async function runTests(backend: Backend, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<number> {
  const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
  const child = spawn(process.execPath, [vitest, 'run', '--project', PROJECT, SUITE], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...env,
      MOORAGE_TEST_TEMPORAL_ADDRESS: backend.temporalAddress,
      MOORAGE_TEST_DATABASE_URL: backend.postgresUrl,
    },
  })
  signal.addEventListener('abort', () => child.kill('SIGTERM'), { once: true })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}
