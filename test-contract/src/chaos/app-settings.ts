import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { childEnvironment } from '@moorage/engine/programs'

const AGENT_MODULE = fileURLToPath(new URL('../conformance-agent/agent.ts', import.meta.url))

/** The programs of both apps. */
export const AGENT_FILE = fileURLToPath(new URL('../../../apps/agent/dist/main.js', import.meta.url))
export const WORKER_FILE = fileURLToPath(new URL('../../../apps/worker/dist/main.js', import.meta.url))

/** Lost processes are noticed, and lost wakes repeated, within seconds. */
const SHORT_WAITS = {
  MOORAGE_HEARTBEAT_TIMEOUT_MS: '3000',
  MOORAGE_WAKE_AFTER_MS: '1000',
  MOORAGE_RATE_PER_MINUTE: '0',
  MOORAGE_AGENT: AGENT_MODULE,
  LOG_LEVEL: 'info',
}

/** The environment of an app whose scripts meet their clients in the folder. Nothing of the user's own settings reaches it. */
export function appEnvironment(folder: string, own: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const inherited = Object.entries(childEnvironment(process.env)).filter(([name]) => !/^(MOORAGE_|DATABASE_URL$|HOST$|PORT$)/.test(name))
  return { ...Object.fromEntries(inherited), ...SHORT_WAITS, CONFORMANCE_DIR: rendezvousFolder(folder), ...own }
}

export function rendezvousFolder(folder: string): string {
  return join(folder, 'conformance')
}
