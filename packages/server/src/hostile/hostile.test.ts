import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { startPostgres } from '@moorage/dev-postgres'
import { openPostgresStore } from '@moorage/store/postgres'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { PUSH_KEYS } from '../testing/push.js'
import { testCard } from '../testing/test-agent.js'
import { startTestServer, type TestServer, type TestServerOptions } from '../testing/test-server.js'
import { checkAnswer } from './check-answer.js'
import { type HostileRequest, httpJsonRequests, jsonRpcRequests } from './hostile-requests.js'
import { someTasks } from './some-tasks.js'

const HALF = 5_000
const BATCH = 100
const AT_ONCE = 10

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function heap(): number {
  for (let round = 0; round < 3; round += 1) collectGarbage()
  return process.memoryUsage().heapUsed
}

const INTERFACES = testCard().supportedInterfaces.flatMap((entry) => [entry, { ...entry, tenant: 'acme' }])
const OPTIONS: TestServerOptions = {
  card: testCard({
    supportedInterfaces: INTERFACES,
    defaultInputModes: ['text/*', 'application/json', 'application/octet-stream'],
    capabilities: { streaming: true, pushNotifications: true },
  }),
  pushKeys: PUSH_KEYS,
  blockingTimeoutMs: 2,
  keepAliveMs: 5,
}

type Requests = (taskIds: readonly string[]) => fc.Arbitrary<HostileRequest>

/** Sends generated requests, some at once, and counts the answers by their status. */
async function openFire(server: TestServer, requests: Requests, store = server.store) {
  const arbitrary = requests(await someTasks(server, store))
  const seed = Math.floor(Math.random() * 2 ** 24)
  const statuses = new Map<number, number>()

  async function send(from: number, to: number): Promise<void> {
    for (let sent = from; sent < to; sent += BATCH) {
      const batch = fc.sample(arbitrary, { numRuns: BATCH, seed: seed + sent })
      for (let next = 0; next < BATCH; next += AT_ONCE) {
        const answers = batch.slice(next, next + AT_ONCE).map((request) => checkAnswer(server, request))
        for (const status of await Promise.all(answers)) statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }
  }

  return { send, seed, statuses }
}

describe.each<{ name: string; requests: Requests }>([
  { name: 'JSON-RPC', requests: jsonRpcRequests },
  { name: 'HTTP+JSON', requests: httpJsonRequests },
])('hostile requests over $name', ({ requests }) => {
  test('get no 5xx, no hang and nothing of the inside: 10,000, which leave no heap behind', async () => {
    const server = await startTestServer(OPTIONS)
    const { send, seed, statuses } = await openFire(server, requests)
    await send(0, HALF)
    const first = heap()
    await send(HALF, 2 * HALF)
    // What the last streams leave is gone a moment after they are.
    await expect.poll(() => heap() / first, { message: `seed ${seed}: the heap over ${first} bytes` }).toBeLessThan(1.1)
    expect(server.logged, `seed ${seed}`).toEqual([])
    // Not all of them may be refused at the door.
    expect(server.wakes.length, JSON.stringify([...statuses])).toBeGreaterThan(100)
  }, 300_000)

  test('get the same of a server whose store is Postgres', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'moorage-hostile-'))
    const postgres = await startPostgres({ dataDir, settings: { fsync: 'off' } })
    const store = await openPostgresStore({ url: postgres.url })
    onTestFinished(async () => {
      await store.close()
      await postgres.stop('immediate')
      await rm(dataDir, { recursive: true })
    })
    const server = await startTestServer({ ...OPTIONS, wrapStore: () => store })
    const { send, seed } = await openFire(server, requests, store)
    await send(0, 1000)
    expect(server.logged, `seed ${seed}`).toEqual([])
  }, 120_000)
})
