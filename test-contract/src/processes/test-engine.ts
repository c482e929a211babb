import { type Engine, startEngine } from '@moorage/engine'
import { inject } from 'vitest'
import { PATIENCE_MS } from '../patience.js'

/** Starts a Temporal dev server of the test's own on the folder and port. */
export function startTestEngine(dataDir: string, port?: number): Promise<Engine> {
  return startEngine({ cli: inject('engineCli'), dataDir, port, env: process.env, readyTimeoutMs: PATIENCE_MS })
}
