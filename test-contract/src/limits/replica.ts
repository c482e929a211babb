/**
 * A process that serves an agent, over the stage's database and engine: a store, a waker, a worker and a harness of its own.
 * @module
 */
import { randomUUID } from 'node:crypto'
import type { Agent } from '@moorage/agent'
import { buildAgentCard } from '@moorage/card'
import type { TaskJson } from '@moorage/protocol'
import { createHarness, type Harness, type HarnessOptions } from '@moorage/server'
import type { TaskStore } from '@moorage/store'
import { createWaker, type TaskWaker } from '@moorage/workflow/client'
import { onTestFinished } from 'vitest'
import type { Binding } from '../clients.js'
import type { Stage } from '../workflow/stage.js'

const BASE_URL = 'http://agent.test'

/** An answer in the binding's form. */
export interface Answer {
  readonly status: number
  readonly retryAfter: string | null
  readonly body: {
    readonly task?: TaskJson
    readonly result?: { readonly task?: TaskJson }
    readonly error?: { readonly code: number; readonly message: string }
  }
}

export interface Replica {
  readonly harness: Harness
  readonly store: TaskStore
  readonly waker: TaskWaker
  /** Sends a message, and waits for its end unless it is told not to. */
  send(binding: Binding, message: object, configuration?: object): Promise<Answer>
}

/** The first replica takes what the stage has; a further one is given a store and a worker of its own. */
export async function openReplica(stage: Stage, agent: Agent, { another = false, ...options }: ReplicaOptions = {}): Promise<Replica> {
  const { store, waker } = another ? await openOwn(stage, agent) : stage
  const card = buildAgentCard(typeof agent.card === 'object' ? agent.card : {}, { agentId: agent.id, baseUrl: BASE_URL })
  const harness = createHarness(agent, {
    card,
    store,
    waker,
    logger: { error: () => {} },
    ...options,
    limits: { ratePerMinute: 0, ...options.limits },
  })
  await harness.start()
  onTestFinished(() => harness.stop())
  return { harness, store, waker, send: (...message) => send(harness, ...message) }
}

export interface ReplicaOptions extends Pick<HarnessOptions, 'limits' | 'maxWaiting'> {
  readonly another?: boolean
}

async function openOwn(stage: Stage, agent: Agent): Promise<Pick<Replica, 'store' | 'waker'>> {
  const store = await stage.openStore()
  const waker = createWaker({ temporal: stage.temporal, storeId: store.id })
  onTestFinished(() => waker.close())
  await stage.startWorker({ store, waker, agents: [agent] })
  return { store, waker }
}

async function send(harness: Harness, binding: Binding, message: object, configuration: object = {}): Promise<Answer> {
  const request = { message: { messageId: randomUUID(), role: 'ROLE_USER', ...message }, configuration }
  const body = binding === 'JSONRPC' ? { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: request } : request
  const response = await harness.fetch(
    new Request(`${BASE_URL}/a2a${binding === 'JSONRPC' ? '' : '/message:send'}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'A2A-Version': '1.0' },
      body: JSON.stringify(body),
    }),
  )
  return { status: response.status, retryAfter: response.headers.get('Retry-After'), body: (await response.json()) as Answer['body'] }
}
