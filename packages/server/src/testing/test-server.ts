import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent } from '@moorage/agent'
import type { TaskStore, Waiting } from '@moorage/store'
import { openSqliteStore } from '@moorage/store/sqlite'
import type { Waker } from '@moorage/workflow/contract'
import { onTestFinished } from 'vitest'
import { createHarness, type Harness } from '../harness.js'
import type { HarnessOptions } from '../harness-options.js'
import { testAgent, testCard } from './test-agent.js'

interface Wake {
  readonly agent: string
  readonly taskId: string
  readonly unhandled: readonly Waiting[]
}

export interface TestServer {
  readonly harness: Harness
  readonly store: TaskStore
  /** Where its database is. */
  readonly path: string
  readonly wakes: readonly Wake[]
  /** The wake with this number, from 1, as soon as it has come. */
  woken(number: number): Promise<Wake>
  /** What the log was told. */
  readonly logged: readonly Readonly<Record<string, unknown>>[]
  /** Sends a request to a path of `http://agent.test`. */
  fetch(path: string, init?: RequestInit): Promise<Response>
}

export type TestServerOptions = Partial<HarnessOptions> & {
  readonly agent?: Agent
  /** Stands between the harness and the store, for what a store does when it fails. */
  readonly wrapStore?: (store: TaskStore) => TaskStore
  /** When to take it down again. @default at the end of the test */
  readonly onFinished?: (takeDown: () => Promise<void>) => void
}

/** A started harness over a new SQLite file, with no worker: wakes are recorded, and turns are played by the test. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await createTestServer(options)
  await server.harness.start()
  return server
}

/** The same, not started. */
export async function createTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { agent = testAgent(), wrapStore, onFinished = onTestFinished, ...overrides } = options
  const { store, path, remove } = await openTestStore()
  const { waker, wakes, woken } = recordWakes()
  const logged: Record<string, unknown>[] = []
  const harness = createHarness(agent, {
    card: testCard(),
    store: wrapStore?.(store) ?? store,
    waker,
    logger: {
      warn: (fields, message) => logged.push({ ...fields, message }),
      error: (fields, message) => logged.push({ ...fields, message }),
    },
    limits: { ratePerMinute: 0 },
    ...overrides,
  })
  onFinished(async () => {
    await harness.stop()
    await remove()
  })
  const fetch = (path: string, init?: RequestInit) => Promise.resolve(harness.fetch(new Request(`http://agent.test${path}`, init)))
  return { harness, store, path, wakes, woken, logged, fetch }
}

/** The store with some of its methods replaced: how a test makes a store fail. */
export function overrideStore(store: TaskStore, overrides: Partial<TaskStore>): TaskStore {
  return new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(Object.hasOwn(overrides, name) ? overrides : target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

async function openTestStore() {
  const directory = await mkdtemp(join(tmpdir(), 'moorage-server-'))
  const path = join(directory, 'moorage.db')
  const store = await openSqliteStore({ path })
  const remove = async () => {
    await store.close()
    await rm(directory, { recursive: true, force: true })
  }
  return { store, path, remove }
}

function recordWakes(): Pick<TestServer, 'wakes' | 'woken'> & { readonly waker: Waker } {
  const wakes: Wake[] = []
  const waiting: (() => void)[] = []
  const waker: Waker = {
    wake(agent, taskId, unhandled) {
      wakes.push({ agent, taskId, unhandled })
      for (const check of waiting) check()
    },
  }
  const woken = (number: number) =>
    new Promise<Wake>((resolve) => {
      const check = () => {
        const wake = wakes[number - 1]
        if (wake) resolve(wake)
      }
      waiting.push(check)
      check()
    })
  return { waker, wakes, woken }
}
