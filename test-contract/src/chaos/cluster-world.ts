import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePort } from '@moorage/engine/programs'
import { Rendezvous } from '../conformance-agent/rendezvous.js'
import { appEnvironment, rendezvousFolder } from './app-settings.js'
import { ClusterProcess } from './cluster-process.js'
import { Link } from './link.js'
import { openPostgresQuery } from './postgres-query.js'
import { postgresPids } from './postgres-victim.js'
import { send } from './send.js'
import type { Victim } from './victim.js'
import type { World, WorldOptions } from './world.js'

/** How the plan's targets are called by the cluster. */
const NAMES: Readonly<Record<string, string>> = { engine: 'Temporal', postgres: 'Postgres' }

/** What `npm run cluster` starts, which itself starts again what is killed. */
export async function startClusterWorld({ folder, signal }: WorldOptions): Promise<World> {
  const clusterDir = join(folder, 'cluster')
  const env = appEnvironment(folder, { MOORAGE_CLUSTER_DIR: clusterDir, PORT: String(await findFreePort()) })
  const cluster = await ClusterProcess.start(env, join(folder, 'logs', 'cluster.log'), signal)
  const ports = JSON.parse(await readFile(join(clusterDir, 'ports.json'), 'utf8')) as Readonly<Record<string, number>>
  const password = (await readFile(join(clusterDir, 'postgres', 'cluster', 'moorage-password'), 'utf8')).trim()
  const query = openPostgresQuery(`postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${ports['postgres']}/moorage`)
  const links = new Map<string, Link>()
  for (const name of ['agent 1', 'agent 2', 'proxy']) links.set(name, await Link.open(ports[name] ?? 0))
  const describe = (target: string): [string, Victim] => {
    const name = NAMES[target] ?? target
    const pids = async () => {
      if (target === 'postgres') return postgresPids(join(clusterDir, 'postgres', 'cluster'))
      const pid = cluster.pid(name)
      return pid === undefined ? [] : [pid]
    }
    const kill = async () => {
      const killed = await pids()
      await cluster.again(name, killed, () => {
        for (const pid of killed) send(pid, 'SIGKILL')
      })
    }
    const link = links.get(target)
    return [target, { pids, kill, links: link === undefined ? [] : [link] }]
  }
  return {
    urls: [...links.values()].map(({ port }) => `http://127.0.0.1:${port}`),
    victims: new Map(['agent 1', 'agent 2', 'worker 1', 'worker 2', 'engine', 'postgres'].map(describe)),
    rendezvous: new Rendezvous(rendezvousFolder(folder)),
    query: query.ask,
    temporalAddress: async () => `127.0.0.1:${ports['temporal frontend']}`,
    crashes: cluster.crashes,
    stop: async () => {
      for (const link of links.values()) link.close()
      await query.close()
      return cluster.stop()
    },
  }
}
