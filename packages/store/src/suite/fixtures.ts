import type { MessageJson } from '@moorage/protocol'
import type { NewInboxRow, Receipt } from '../inbox-row.js'
import type { Principal } from '../principal.js'
import type { TaskStore } from '../task-store.js'
import type { Fence, TurnWrite } from '../turn.js'

/** What every database can be asked to open with. */
export interface OpenOptions {
  readonly now?: () => number
  readonly random?: () => number
  readonly wakeAfterMs?: number
}

/** Opens a new, empty store, which is closed and removed after the test. */
export type OpenStore = (options?: OpenOptions) => Promise<TaskStore>

export const AGENT = 'support'

/** How long a test may take: nothing here is about speed, and machines may be busy. */
export const PATIENCE = { timeout: 120_000 }

export function principal(participant: string, tenant = ''): Principal {
  return { tenant, subject: participant, participant, claims: {} }
}

export function message(messageId: string, text = messageId): MessageJson {
  return { messageId, role: 'ROLE_USER', parts: [{ text }] }
}

export function says(text: string): MessageJson {
  return { messageId: `said ${text}`, role: 'ROLE_AGENT', parts: [{ text }] }
}

export function chunk(text: string, artifactId = 'answer'): Extract<TurnWrite, { kind: 'artifact' }> {
  return { kind: 'artifact', artifactId, parts: [{ text }] }
}

/** A message whose text is its id, unless there is another one. A text that begins with a slash is a command. */
export function inboxRow(messageId: string, sender = principal('ann'), text = messageId): NewInboxRow {
  const [name, ...args] = text.slice(1).split(' ')
  const command = text.startsWith('/') && name ? { name, args: args.join(' ') } : undefined
  return { key: messageId, digest: `digest of ${messageId}`, message: message(messageId, text), sender, ...(command && { command }) }
}

export interface TaskOptions {
  readonly agent?: string
  readonly contextId?: string
  readonly participant?: string
  readonly tenant?: string
}

export function createTask(store: TaskStore, id: string, options: TaskOptions = {}): Promise<Receipt> {
  const { agent = AGENT, contextId = 'ctx', participant = 'ann', tenant = '' } = options
  const participants = [
    { participant, role: 'reporter' },
    { participant, role: 'admin' },
    { participant: agent, role: 'assignee' },
  ] as const
  return store.transact([id], (tx) =>
    tx.create({ id, agent, tenant, contextId, participants }, inboxRow(`${id}/1`, principal(participant, tenant))),
  )
}

export function accept(store: TaskStore, id: string, messageId: string): Promise<Receipt> {
  return store.transact([id], (tx) => tx.accept(id, inboxRow(messageId)))
}

export async function openTurn(store: TaskStore, id: string): Promise<Fence> {
  const opening = await store.transact([id], (tx) => tx.openTurn(id, { id: 'run', attempt: 1 }))
  if (opening.kind !== 'opened') throw new Error(`The turn of ${id} was not opened`)
  return opening.fence
}

/** Adds one part to the artifact `answer`: one log entry. */
export async function append(store: TaskStore, id: string, fence: Fence, batch: number): Promise<void> {
  await store.transact([id], (tx) => tx.append(id, fence, batch, [chunk(`part ${batch}`)]), { priority: 'append' })
}

/** A clock that the test moves. */
export function manualClock(start = Date.UTC(2026, 0, 1)) {
  let time = start
  return {
    now: () => time,
    advance: (milliseconds: number) => {
      time += milliseconds
    },
  }
}

/** In which state a turn's end leaves its task, by the kind of its outcome. */
export const END_STATES = [
  ['complete', 'COMPLETED'],
  ['fail', 'FAILED'],
  ['reject', 'REJECTED'],
  ['ask', 'INPUT_REQUIRED'],
  ['require-auth', 'AUTH_REQUIRED'],
  ['park', 'INPUT_REQUIRED'],
] as const
