import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findPortOwner } from '@moorage/engine'
import { findFreePort } from '@moorage/engine/programs'
import { ClusterError } from './cluster-error.js'
import { SERVICES, type TemporalPorts } from './temporal/server-config.js'

/** Ports on loopback of everything that listens. */
export interface Ports {
  readonly proxy: number
  readonly postgres: number
  readonly temporal: TemporalPorts
  readonly agents: readonly number[]
  readonly workers: readonly number[]
}

const REPLICAS = [1, 2]
const DEFAULT_PROXY = 8080

/**
 * Free ports, as far as possible those of the last time, which `ports.json` in the folder remembers. `PORT` decides about the proxy's.
 * @throws ClusterError where `PORT` is no port, or taken
 */
export async function choosePorts(folder: string, wanted: string | undefined): Promise<Ports> {
  const file = join(folder, 'ports.json')
  const before = await read(file)
  const chosen: Record<string, number> = {}
  const choose = async (name: string, preferred = before[name]) => {
    let port = await findFreePort(preferred)
    while (Object.values(chosen).includes(port)) port = await findFreePort()
    chosen[name] = port
    return port
  }
  const proxy = wanted ? await requirePort(wanted) : await choose('proxy', before['proxy'] ?? DEFAULT_PROXY)
  chosen['proxy'] = proxy
  const postgres = await choose('postgres')
  const temporal: Record<string, TemporalPorts[keyof TemporalPorts]> = {}
  for (const name of SERVICES)
    temporal[name] = { grpc: await choose(`temporal ${name}`), membership: await choose(`temporal ${name} ring`) }
  const agents: number[] = []
  for (const number of REPLICAS) agents.push(await choose(`agent ${number}`))
  const workers: number[] = []
  for (const number of REPLICAS) workers.push(await choose(`worker ${number}`))
  await writeFile(file, `${JSON.stringify(chosen, null, 2)}\n`)
  return { proxy, postgres, temporal: temporal as TemporalPorts, agents, workers }
}

async function requirePort(text: string): Promise<number> {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= 65_535)) throw new ClusterError(`PORT is ${text}, which is no port. Set it to a number up to 65535, or unset it.`)
  if (port === 0) return findFreePort()
  if ((await findFreePort(port)) === port) return port
  const owner = await findPortOwner(port)
  const who = owner === undefined ? 'another process' : `process ${owner.pid} (${owner.command})`
  throw new ClusterError(`Port ${port} of 127.0.0.1 is in use by ${who}. Stop it, or set PORT to another port.`)
}

/** What cannot be read is forgotten: any port will do. */
async function read(file: string): Promise<Readonly<Record<string, number | undefined>>> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Record<string, number>
  } catch {
    return {}
  }
}
