import { join } from 'node:path'
import { findFreePort } from '@moorage/engine/programs'
import Database from 'better-sqlite3'
import { Rendezvous } from '../conformance-agent/rendezvous.js'
import { AGENT_FILE, appEnvironment, rendezvousFolder, WORKER_FILE } from './app-settings.js'
import { EmbeddedEngine } from './embedded-engine.js'
import { type Finding, found } from './finding.js'
import { KeptApp } from './kept-app.js'
import { Link } from './link.js'
import { stopApps } from './stop-apps.js'
import type { Query } from './stored-task.js'
import type { Victim } from './victim.js'
import type { World, WorldOptions } from './world.js'

/** One agent with its engine, and a worker beside it, on one data folder. */
export async function startSqliteWorld({ folder, cli }: WorldOptions): Promise<World> {
  const dataDir = join(folder, 'data')
  const [port, health] = [await findFreePort(), await findFreePort()]
  const link = await Link.open(port)
  const crashes: Finding[] = []
  const shared = { MOORAGE_DATA_DIR: dataDir, TEMPORAL_CLI: cli.path }
  const base = (name: string) => ({
    name,
    logFile: join(folder, 'logs', `${name}.log`),
    onCrash: (what: string) => void crashes.push(found('wrong', what)),
  })
  const agent = new KeptApp({
    ...base('agent'),
    ...{ args: [AGENT_FILE], links: [link], readyUrl: `http://127.0.0.1:${port}/readyz` },
    env: appEnvironment(folder, { ...shared, PORT: String(port) }),
  })
  const worker = new KeptApp({
    ...base('worker'),
    ...{ args: [WORKER_FILE], links: [], readyUrl: `http://127.0.0.1:${health}/readyz` },
    env: appEnvironment(folder, { MOORAGE_DATA_DIR: dataDir, MOORAGE_HEALTH_PORT: String(health) }),
  })
  const stop = async () => {
    link.close()
    return stopApps([worker, agent])
  }
  try {
    await agent.start()
    await worker.start()
  } catch (error) {
    await stop()
    throw error
  }
  const engine = new EmbeddedEngine(dataDir)
  return {
    ...{ urls: [`http://127.0.0.1:${link.port}`], crashes, stop },
    victims: new Map<string, Victim>([
      ['agent', agent],
      ['worker', worker],
      ['engine', engine],
    ]),
    rendezvous: new Rendezvous(rendezvousFolder(folder)),
    query: openQuery(join(dataDir, 'moorage.db')),
    temporalAddress: async () => (await engine.serving()).address,
  }
}

function openQuery(path: string): Query {
  return async (sql, parameters) => {
    const database = new Database(path, { readonly: true })
    try {
      return database.prepare<unknown[], Readonly<Record<string, unknown>>>(sql).all(...parameters)
    } finally {
      database.close()
    }
  }
}
