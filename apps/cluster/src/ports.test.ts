import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { choosePorts, type Ports } from './ports.js'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moorage-cluster-'))
  return () => rm(folder, { recursive: true })
})

function all({ proxy, postgres, temporal, agents, workers }: Ports): readonly number[] {
  return [proxy, postgres, ...Object.values(temporal).flatMap(({ grpc, membership }) => [grpc, membership]), ...agents, ...workers]
}

async function occupy(port: number): Promise<number> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as { port: number }).port
}

it('chooses a port of its own for everything that listens, and the same ones the next time', async () => {
  const first = await choosePorts(folder, undefined)
  expect(new Set(all(first)).size).toBe(14)
  expect(await choosePorts(folder, undefined)).toEqual(first)
})

it('chooses another one where somebody has taken it meanwhile', async () => {
  const first = await choosePorts(folder, undefined)
  await occupy(first.postgres)
  const second = await choosePorts(folder, '')
  expect(second.postgres).not.toBe(first.postgres)
  expect(second).toEqual({ ...first, postgres: second.postgres })
})

it('forgets what it cannot read', async () => {
  await writeFile(join(folder, 'ports.json'), '{')
  expect(new Set(all(await choosePorts(folder, undefined))).size).toBe(14)
})

it('gives the proxy the port that PORT names, or any with 0, and refuses one that cannot be had', async () => {
  const free = (await choosePorts(folder, '0')).proxy
  expect((await choosePorts(folder, String(free))).proxy).toBe(free)
  await expect(choosePorts(folder, '65536')).rejects.toThrow('PORT is 65536, which is no port')
  await expect(choosePorts(folder, 'http')).rejects.toThrow('PORT is http, which is no port')
  const taken = await occupy(0)
  await expect(choosePorts(folder, String(taken))).rejects.toThrow(`Port ${taken} of 127.0.0.1 is in use by process ${process.pid}`)
})
