import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type PostgresServer, startPostgres } from '@moorage/dev-postgres'
import type { TaskStore } from '@moorage/store'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ConfigError } from './config-error.js'
import { openStore } from './open-store.js'
import { readSharedConfig } from './shared-config.js'
import { createTeardown } from './teardown.js'
import { makeTemporaryFolder, temporaryFolder } from './temporary-folder.js'

const teardown = createTeardown((name, error) => {
  throw new Error(`${name} did not end`, { cause: error })
})

/** Opens the store of a configuration, and tells what it said meanwhile. */
async function open(
  env: Record<string, string>,
  patienceMs?: number,
  progress: (line: string) => void = () => undefined,
): Promise<TaskStore> {
  const { config } = await readSharedConfig(env, await temporaryFolder())
  if (config === undefined) throw new Error('The configuration has faults')
  return openStore(config, { progress, signal: new AbortController().signal }, teardown, patienceMs)
}

describe('openStore', () => {
  let postgres: PostgresServer
  let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>

  beforeAll(async () => {
    folder = await makeTemporaryFolder()
    postgres = await startPostgres({ dataDir: folder.path, settings: { fsync: 'off' } })
  })
  afterAll(async () => {
    await teardown.run()
    await postgres.stop()
    await folder.remove()
  })

  it('opens SQLite where no database is named, and Postgres where one is', async () => {
    const sqlite = await open({})
    const url = await postgres.createDatabase()
    const [first, second] = [await open({ DATABASE_URL: url, MOORAGE_POSTGRES_POOL: '2' }), await open({ DATABASE_URL: url })]
    expect(first.id).toBe(second.id)
    expect(first.id).not.toBe(sqlite.id)
  })

  it.each([
    [
      'a wrong password',
      (url: URL) => Object.assign(url, { password: 'hunter2' }),
      /password authentication failed .*; correct user and password in the URL$/,
    ],
    [
      'a database that does not exist',
      (url: URL) => Object.assign(url, { pathname: '/nowhere' }),
      /database "nowhere" does not exist; create it, or name another one$/,
    ],
    [
      'TLS that the server does not have',
      (url: URL) => Object.assign(url, { search: '?sslmode=require' }),
      /does not support SSL connections; set sslmode=disable, or turn TLS on there$/,
    ],
    [
      'a mode of TLS that there is not',
      (url: URL) => Object.assign(url, { search: '?sslmode=maybe' }),
      /^DATABASE_URL has sslmode=maybe, which must be/,
    ],
  ])('refuses %s at once, and shows no credentials', async (_what, change, sentence) => {
    const error = await open({ DATABASE_URL: change(new URL(postgres.url)).href }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ConfigError)
    const { message } = error as Error
    expect(message).toMatch(/^DATABASE_URL/)
    expect(message).toMatch(sentence)
    for (const secret of ['hunter2', new URL(postgres.url).password]) expect(message).not.toContain(secret)
  })

  it('waits for a Postgres that does not answer yet, and says so', async () => {
    const url = await postgres.createDatabase()
    await postgres.stop()
    const lines: string[] = []
    const opening = open({ DATABASE_URL: url }, 60_000, (line) => {
      lines.push(line)
      void postgres.start()
    })
    expect((await opening).id).toBeTypeOf('string')
    expect(lines).toEqual([
      expect.stringMatching(
        /^Postgres at 127\.0\.0\.1:\d+, database test_\w+ \(DATABASE_URL\) does not answer yet: .*\. Trying for [\d.]+ s\.$/,
      ),
    ])
    expect(lines[0]).not.toContain(new URL(url).password)
  })

  it.each([
    ['says nothing', () => undefined],
    ['hangs up', (socket: Socket) => void socket.end()],
    ['speaks another language', (socket: Socket) => void socket.write('SSH-2.0-OpenSSH_9.9\r\n')],
  ])(
    'says what to check where something %s',
    async (_what, answer) => {
      const server = createServer((socket) => answer(socket.on('error', () => undefined))).listen(0, '127.0.0.1')
      await once(server, 'listening')
      onTestFinished(() => void server.close())
      const { port } = server.address() as AddressInfo
      await expect(open({ DATABASE_URL: `postgres://me:hunter2@127.0.0.1:${port}/moorage` }, 1)).rejects.toThrow(
        /has not answered for 0 s: no answer within 5 s: check host, port and firewall\. Start it, or correct DATABASE_URL\.$/,
      )
    },
    20_000,
  )

  it.each([
    ['08P01', 'query_wait_timeout'],
    ['57014', 'canceling statement due to lock timeout'],
    ['57P05', 'terminated by an administrator'],
  ])(
    'passes on what a server or a pooler answers, also of time: %s %s',
    async (code, words) => {
      const refusal = Buffer.from(`SERROR\0VERROR\0C${code}\0M${words}\0\0`)
      const length = Buffer.alloc(4)
      length.writeInt32BE(refusal.length + 4)
      const server = createServer((socket) =>
        socket.on('error', () => undefined).once('data', () => socket.end(Buffer.concat([Buffer.from('E'), length, refusal]))),
      )
      await once(server.listen(0, '127.0.0.1'), 'listening')
      onTestFinished(() => void server.close())
      const { port } = server.address() as AddressInfo
      await expect(open({ DATABASE_URL: `postgres://me:hunter2@127.0.0.1:${port}/moorage` }, 1)).rejects.toThrow(
        new RegExp(`has not answered for 0 s: .*${code}: ${words}`),
      )
    },
    20_000,
  )

  it('gives up in the end', async () => {
    const opening = open({ DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/moorage' }, 1)
    await expect(opening).rejects.toThrow(
      /^Postgres at 127\.0\.0\.1:1, database moorage \(DATABASE_URL\) has not answered for 0 s: .*ECONNREFUSED.*\. Start it, or correct DATABASE_URL\.$/,
    )
  })
})
