import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type PostgresServer, startPostgres } from './index.js'

let dataDir: string
let server: PostgresServer

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'moorage-postgres-'))
  server = await startPostgres({ dataDir, settings: { fsync: 'off', work_mem: '5MB' } })
  return async () => {
    await server.stop('immediate')
    await rm(dataDir, { recursive: true })
  }
})

async function query(url: string, text: string): Promise<unknown> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query({ text, rowMode: 'array' })).rows[0]?.[0]
  } finally {
    await client.end()
  }
}

it('answers on loopback, to who knows the password, with the settings given', async () => {
  expect(new URL(server.url).hostname).toBe('127.0.0.1')
  expect(await query(server.url, 'show work_mem')).toBe('5MB')
  expect(await query(server.url, 'show max_connections')).toBe('200')
  const stranger = new URL(server.url)
  stranger.password = 'guess'
  await expect(query(stranger.href, 'select 1')).rejects.toThrow(/password authentication failed/)
})

it('makes empty databases, named or not', async () => {
  const urls = [await server.createDatabase(), await server.createDatabase(), await server.createDatabase('of mine')]
  const names = await Promise.all(urls.map((url) => query(url, 'select current_database()')))
  expect(new Set(names).size).toBe(3)
  expect(names[2]).toBe('of mine')
})

it.each(['fast', 'immediate'] as const)('keeps what was committed over a restart: %s', async (mode) => {
  const url = await server.createDatabase()
  await query(url, 'create table notes as select 7 as n')
  await server.restart(mode)
  expect(await query(url, 'select n from notes')).toBe(7)
})

it('starts again after a stop, and takes both twice', async () => {
  await Promise.all([server.stop(), server.stop()])
  await expect(query(server.url, 'select 1')).rejects.toThrow(/ECONNREFUSED/)
  await server.start()
  await server.start()
  expect(await query(server.url, 'select 1')).toBe(1)
})

describe('refuses', () => {
  it('a data folder that another server owns', async () => {
    await expect(startPostgres({ dataDir })).rejects.toThrow(/^The data folder .* belongs to a Postgres that runs \(PID \d+\)/)
  })

  it('a port in use', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void other.close())
    const { port } = other.address() as { port: number }
    await expect(startPostgres({ dataDir, port })).rejects.toThrow(`Port ${port} of 127.0.0.1 is in use`)
  })

  it.runIf(process.getuid?.() === 0)('a folder that the account of the server cannot reach, and says so', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'moorage-postgres-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await expect(startPostgres({ dataDir: join(folder, 'inner') })).rejects.toThrow(/must be able to reach its data folder/)
  })

  it('a setting that the server does not know, and says what the server said', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'moorage-postgres-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await expect(startPostgres({ dataDir: folder, settings: { fsync: 'off', wrok_mem: '5MB' } })).rejects.toThrow(/wrok_mem/)
  })
})
