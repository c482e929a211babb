import { fileURLToPath } from 'node:url'
import { createLogger } from '@moorage/bootstrap'
import { readConfig } from '../../conformance-agent/config.js'
import type { Profile } from '../../conformance-agent/profiles.js'
import { startConformanceAgent } from '../../conformance-agent/start.js'
import { freePort, startProcess } from '../../processes/agent-process.js'
import type { RunningServer } from './composed-server.js'

const MAIN = fileURLToPath(new URL('../../conformance-agent/main.ts', import.meta.url))

/** The conformance agent, as `npm run conformance-agent` starts it: with the kit's profile a process of its own, else in this one. */
export async function startConformanceServer(profile: Profile, folder: string, engine: string): Promise<RunningServer> {
  const port = String(await freePort())
  const env = { MOORAGE_PROFILE: profile, MOORAGE_DATA_DIR: folder, TEMPORAL_ADDRESS: engine, PORT: port, TCK_STREAMING_TIMEOUT: '1.0' }
  if (profile === 'tck') {
    const { url, end } = await startProcess(['--import', import.meta.resolve('tsx'), MAIN], `http://127.0.0.1:${port}`, env)
    return { url, stop: async () => void (await end('SIGTERM')) }
  }
  const config = await readConfig(env, folder)
  return startConformanceAgent(config, { env, logger: createLogger('silent'), progress: () => {}, signal: new AbortController().signal })
}
