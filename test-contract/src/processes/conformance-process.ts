import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Rendezvous } from '../conformance-agent/rendezvous.js'
import { type AgentProcess, freePort, startProcess } from './agent-process.js'

const MAIN = fileURLToPath(new URL('../conformance-agent/main.ts', import.meta.url))

export interface ConformanceProcess extends AgentProcess {
  readonly rendezvous: Rendezvous
}

/** Starts what `npm run conformance-agent` starts, and resolves when it serves. */
export async function startConformanceProcess(dataDir: string, env: Readonly<Record<string, string>> = {}): Promise<ConformanceProcess> {
  const port = await freePort()
  const own = { MOORAGE_DATA_DIR: dataDir, PORT: String(port), MOORAGE_AGENT: '', MOORAGE_RATE_PER_MINUTE: '', ...env }
  const running = await startProcess(['--import', import.meta.resolve('tsx'), MAIN], `http://127.0.0.1:${port}`, own)
  return { ...running, rendezvous: new Rendezvous(join(dataDir, 'conformance')) }
}
