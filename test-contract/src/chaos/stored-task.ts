import type { StreamResponseJson, TaskState } from '@moorage/protocol'

/** An entry of a task's log, as its row has it. */
export interface StoredEntry {
  readonly seq: number
  readonly state: TaskState
  readonly handled: number
  readonly replyTo: number | null
  readonly payload: StreamResponseJson | { readonly internal: object }
}

export interface StoredMessage {
  readonly position: number
  readonly kind: string
  readonly messageId: string
  readonly handled: boolean
}

/** Everything that the tables know of one task. */
export interface StoredTask {
  readonly id: string
  readonly state: TaskState
  readonly seq: number
  readonly position: number
  readonly handled: number
  readonly entries: readonly StoredEntry[]
  readonly inbox: readonly StoredMessage[]
  /** The ids of the messages in its history, in their order. */
  readonly history: readonly string[]
}

/** Runs a statement with `?` for each parameter. */
export type Query = (sql: string, parameters: readonly unknown[]) => Promise<readonly Readonly<Record<string, unknown>>[]>

/** The task that the first of these messages has made. @throws where there is none */
export async function loadTask(query: Query, { taskId, messageId }: { readonly taskId: string | undefined; readonly messageId: string }) {
  const id = taskId ?? (await findTask(query, messageId))
  const [task] = await query('select state, seq, position, handled from tasks where id = ?', [id])
  if (task === undefined) return undefined
  const entries = await query('select seq, state, handled, reply_to, payload from task_events where task_id = ? order by seq', [id])
  const inbox = await query('select position, kind, message, handled from inbox where task_id = ? order by position', [id])
  const history = await query('select message from task_history where task_id = ? order by ordinal', [id])
  return {
    id,
    ...pick(task),
    entries: entries.map(toEntry),
    inbox: inbox.map(toMessage),
    history: history.map(({ message }) => messageIdOf(message)),
  } satisfies StoredTask
}

async function findTask(query: Query, messageId: string): Promise<string> {
  const [row] = await query('select task_id from inbox where message like ?', [`%"messageId":"${messageId}"%`])
  return String(row?.['task_id'])
}

type Row = Readonly<Record<string, unknown>>

function pick({ state, seq, position, handled }: Row) {
  return { state: state as TaskState, seq: Number(seq), position: Number(position), handled: Number(handled) }
}

function toEntry({ seq, state, handled, reply_to: replyTo, payload }: Row): StoredEntry {
  return {
    ...{ seq: Number(seq), state: state as TaskState, handled: Number(handled) },
    replyTo: replyTo === null ? null : Number(replyTo),
    payload: JSON.parse(String(payload)) as StoredEntry['payload'],
  }
}

function toMessage({ position, kind, message, handled }: Row): StoredMessage {
  return { position: Number(position), kind: String(kind), messageId: messageIdOf(message), handled: Number(handled) === 1 }
}

function messageIdOf(message: unknown): string {
  return (JSON.parse(String(message)) as { readonly messageId: string }).messageId
}

/** Every message that the store has accepted, and how often. */
export async function countMessages(query: Query): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (const { message } of await query('select message from inbox', [])) {
    const id = messageIdOf(message)
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return counts
}

/** What is left over of tasks that have ended: the ids of those with a wake mark, or with a message that waits. */
export async function leftRows(query: Query): Promise<readonly string[]> {
  const wakes = await query('select task_id from wakes', [])
  const waiting = await query('select distinct task_id from inbox where handled = 0', [])
  return [...wakes.map(({ task_id: id }) => `wake mark of ${String(id)}`), ...waiting.map(({ task_id: id }) => `message of ${String(id)}`)]
}
