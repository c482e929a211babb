import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePort } from '@moorage/engine/programs'
import { Rendezvous } from '../conformance-agent/rendezvous.js'
import { AGENT_FILE, appEnvironment, rendezvousFolder, WORKER_FILE } from './app-settings.js'
import { DevEngine } from './dev-engine.js'
import { type Finding, found } from './finding.js'
import { KeptApp } from './kept-app.js'
import { Link } from './link.js'
import { openPostgresQuery } from './postgres-query.js'
import { PostgresVictim } from './postgres-victim.js'
import { stopApps } from './stop-apps.js'
import type { Victim } from './victim.js'
import type { World, WorldOptions } from './world.js'

const REPLICAS = [1, 2]

/** Two agents and two workers, each with connections of its own to Postgres, to the dev server and from its clients. */
export async function startPostgresWorld(options: WorldOptions): Promise<World> {
  const { folder, cli } = options
  const crashes: Finding[] = []
  const postgres = await PostgresVictim.start(join(folder, 'postgres'))
  const engine = await DevEngine.start(cli, join(folder, 'engine')).catch(async (error: unknown) => {
    await postgres.stop()
    throw error
  })
  const databaseUrl = await postgres.createDatabase()
  const query = openPostgresQuery(databaseUrl)
  const apps: KeptApp[] = []
  const urls: string[] = []
  const stop = async () => {
    const findings = await stopApps(apps)
    for (const { links } of [...apps, engine, postgres]) for (const link of links) link.close()
    await query.close()
    await engine.stop()
    await postgres.stop()
    return findings
  }
  const lead = async (victim: DevEngine | PostgresVictim, port: number) => {
    const link = await Link.open(port)
    victim.links.push(link)
    return link
  }
  const add = async (name: string, file: string, env: (port: number) => Readonly<Record<string, string>>, isAgent: boolean) => {
    const port = await findFreePort()
    const database = new URL(databaseUrl)
    const links = [await lead(postgres, Number(database.port)), await lead(engine, engine.port)]
    database.port = String(links[0]?.port)
    const own = { DATABASE_URL: database.href, TEMPORAL_ADDRESS: `127.0.0.1:${links[1]?.port}` }
    if (isAgent) {
      const client = await Link.open(port)
      links.push(client)
      urls.push(`http://127.0.0.1:${client.port}`)
    }
    const app = new KeptApp({
      ...{ name, args: [file], links, readyUrl: `http://127.0.0.1:${port}/readyz` },
      ...{ logFile: join(folder, 'logs', `${name.replace(' ', '-')}.log`), onCrash: (what) => void crashes.push(found('wrong', what)) },
      env: appEnvironment(folder, { ...own, ...env(port) }),
    })
    apps.push(app)
    return app
  }
  try {
    await mkdir(rendezvousFolder(folder), { recursive: true })
    for (const number of REPLICAS) await add(`worker ${number}`, WORKER_FILE, (port) => ({ MOORAGE_HEALTH_PORT: String(port) }), false)
    for (const number of REPLICAS) {
      await add(`agent ${number}`, AGENT_FILE, (port) => ({ PORT: String(port), MOORAGE_WORKER: 'off' }), true)
    }
    await Promise.all(apps.map((app) => app.start()))
  } catch (error) {
    await stop()
    throw error
  }
  const victims = new Map<string, Victim>([
    ...apps.map((app): [string, Victim] => [app.name, app]),
    ['engine', engine],
    ['postgres', postgres],
  ])
  const rendezvous = new Rendezvous(rendezvousFolder(folder))
  return { urls, victims, rendezvous, query: query.ask, temporalAddress: async () => `127.0.0.1:${engine.port}`, crashes, stop }
}
