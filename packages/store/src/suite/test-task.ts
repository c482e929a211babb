import { randomUUID } from 'node:crypto'
import type { TaskJson } from '@moorage/protocol'
import type { Receipt } from '../inbox-row.js'
import type { LogEntry } from '../log-entry.js'
import type { TaskRecord, TaskStore, TaskTransaction } from '../task-store.js'
import type { Fence, TurnOpening, TurnWrite } from '../turn.js'
import { AGENT, inboxRow, principal } from './fixtures.js'

/** One task in a store, and what the tests do with it. */
export interface TestTask {
  readonly id: string
  readonly store: TaskStore
  transact<T>(decide: (tx: TaskTransaction) => Promise<T>): Promise<T>
  send(text: string): Promise<Receipt>
  /** Opens a turn as the given attempt of one scheduling; throws when there is none to open. */
  open(attempt?: number, scheduling?: string): Promise<Extract<TurnOpening, { kind: 'opened' }>>
  append(fence: Fence, batch: number, ...writes: readonly TurnWrite[]): ReturnType<TaskTransaction['append']>
  task(): Promise<TaskJson>
  record(): Promise<TaskRecord>
  log(): Promise<readonly LogEntry[]>
  /** Whether the sweep will find the task. */
  isMarked(): Promise<boolean>
}

/** A task whose first message is `text`; one that begins with a slash is a command. */
export async function createTestTask(store: TaskStore, text = 'hello'): Promise<TestTask> {
  const id = randomUUID()
  const participants = [{ participant: 'ann', role: 'admin' as const }]
  const row = (said: string) => inboxRow(randomUUID(), principal('ann'), said)
  const transact: TestTask['transact'] = (decide) => store.transact([id], decide)
  await transact((tx) => tx.create({ id, agent: AGENT, tenant: '', contextId: 'context', participants }, row(text)))
  return {
    id,
    store,
    transact,
    send: (more) => transact((tx) => tx.accept(id, row(more))),
    async open(attempt = 1, scheduling = 'run/1') {
      const opening = await transact((tx) => tx.openTurn(id, { id: scheduling, attempt }))
      if (opening.kind !== 'opened') throw new Error(`The turn is ${opening.kind}`)
      return opening
    },
    append: (fence, batch, ...writes) => transact((tx) => tx.append(id, fence, batch, writes)),
    task: async () => present(await store.get(id)).task,
    record: async () => present(await store.record(id)),
    log: () => store.read(id, 0, 1000),
    // A mark is due a while after it is made: the claim finds it only through a store whose `wakeAfterMs` is 0.
    isMarked: async () => (await store.claimDue([AGENT], 1000)).some((due) => due.taskId === id),
  }
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('There is no such task')
  return value
}
