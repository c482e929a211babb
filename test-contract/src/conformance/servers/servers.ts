import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { COMPOSED_PROFILES, type ComposedProfileName } from './composed-profiles.js'
import { type RunningServer, startComposedServer } from './composed-server.js'
import { startConformanceServer } from './conformance-server.js'
import type { Profile } from './profile.js'

/** A server of the suite, with its own data folder, on the engine of the run. */
export interface Server extends RunningServer {
  /** Lets every turn go on that awaits the gate. */
  open(gate: string): Promise<void>
}

interface Servers {
  /** Starts the server of the profile, once. */
  start(profile: Profile): Promise<Server>
  stop(): Promise<void>
}

/** @param engine address of the Temporal server that all of them use */
export function createServers(engine: string): Servers {
  const started = new Map<Profile, Promise<Server>>()
  return {
    start(profile) {
      const starting = started.get(profile) ?? startServer(profile, engine)
      started.set(profile, starting)
      return starting
    },
    async stop() {
      const ended = [...started.values()].map(async (starting) => (await starting).stop())
      await Promise.allSettled(ended)
    },
  }
}

async function startServer(profile: Profile, engine: string): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'moorage-conformance-'))
  const data = join(folder, 'data')
  const { url, stop } = isComposed(profile)
    ? await startComposedServer(COMPOSED_PROFILES[profile], data, engine)
    : await startConformanceServer(profile, data, engine)
  return {
    url,
    async open(gate) {
      const { status } = await fetch(`${url}/_gates/${gate}`, { method: 'POST' })
      if (status !== 200) throw new Error(`The gate ${gate} does not open: ${status}`)
    },
    async stop() {
      await stop()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function isComposed(profile: Profile): profile is ComposedProfileName {
  return profile in COMPOSED_PROFILES
}
