import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DynamicConfig, startTestEngine } from '../processes/test-engine.js'

/** What Temporal lets be in flight where nobody has tuned it. */
export const UNTUNED = { 'history.maxInFlightUpdates': 10 }

export interface LimitedEngine {
  readonly address: string
  stop(): Promise<void>
}

/** An engine of the test's own with these settings of Temporal. */
export async function startLimitedEngine(dynamicConfig: DynamicConfig): Promise<LimitedEngine> {
  const folder = await mkdtemp(join(tmpdir(), 'moorage-limited-'))
  const engine = await startTestEngine(join(folder, 'engine'), undefined, dynamicConfig)
  return {
    address: engine.address,
    async stop() {
      await engine.stop()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
