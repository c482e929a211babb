import type { StreamResponseJson, TaskJson, TaskState } from '@moorage/protocol'
import { expect, it } from 'vitest'
import { numbers } from '../clients.js'
import type { Account } from './account.js'
import type { TaskPlan } from './plan.js'
import type { StoredEntry, StoredTask } from './stored-task.js'
import { tell } from './story.js'
import { judge } from './verdict.js'

const plan: TaskPlan = {
  ...{ label: 'r1t1', scenario: 'commands', binding: 'JSONRPC', how: 'follow', chunks: 3, everyMs: 0, afterMs: 0, seed: 1 },
}
const ids = { taskId: 't', contextId: 'c' }

function status(state: TaskState, text?: string): StreamResponseJson {
  const message = { messageId: 'm', role: 'ROLE_AGENT' as const, parts: [{ text: text ?? '' }] }
  return { statusUpdate: { ...ids, status: { state, timestamp: '2026-01-01T00:00:00Z', ...(text !== undefined && { message }) } } }
}

function chunk(text: string): StreamResponseJson {
  return { artifactUpdate: { ...ids, artifact: { artifactId: 'first', parts: [{ text }] }, append: text !== '1 ' } }
}

const begin: StreamResponseJson = {
  task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_SUBMITTED', timestamp: '2026-01-01T00:00:00Z' } },
}
const end = status('TASK_STATE_COMPLETED', 'r1t1')

function entry(
  seq: number,
  payload: StoredEntry['payload'],
  state: TaskState = 'TASK_STATE_WORKING',
  replyTo: number | null = null,
): StoredEntry {
  return { seq, state, handled: 0, replyTo, payload }
}

const entries: readonly StoredEntry[] = [
  entry(1, begin, 'TASK_STATE_SUBMITTED'),
  entry(2, { internal: { kind: 'turn' } }),
  entry(3, chunk('1 ')),
  entry(4, status('TASK_STATE_WORKING', 'one'), 'TASK_STATE_WORKING', 2),
  entry(5, chunk('2 ')),
  entry(6, chunk('3 ')),
  entry(7, end, 'TASK_STATE_COMPLETED'),
]
const stored: StoredTask = {
  ...{ id: 't', state: 'TASK_STATE_COMPLETED', seq: 7, position: 2, handled: 2, entries },
  inbox: ['one', 'two'].map((messageId, index) => ({ messageId, position: index + 1, kind: 'message', handled: true })),
  history: ['one', 'two'],
}
const task: TaskJson = {
  ...{ id: 't', contextId: 'c' },
  status: {
    state: 'TASK_STATE_COMPLETED',
    timestamp: '2026-01-01T00:00:00Z',
    message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'r1t1' }] },
  },
  artifacts: [{ artifactId: 'first', parts: [{ text: numbers(3) }] }],
}
const account: Account = {
  ...{ plan, expected: tell(plan).expected, begun: 0, ended: 1, taskId: 't', answer: undefined, task },
  acknowledged: [
    { messageId: 'one', kind: 'message' },
    { messageId: 'two', kind: 'command' },
  ],
  events: entries.flatMap(({ seq, payload }) => ('internal' in payload ? [] : [{ id: seq, payload }])),
}
const counts = { 'r1t1-a': { keys: 1, runs: 2 }, 'r1t1-b': { keys: 1, runs: 1 } }

interface Change {
  readonly account?: Partial<Account>
  readonly stored?: Partial<StoredTask>
  readonly counts?: typeof counts | Record<string, never>
  readonly reruns?: number
}

function find(change: Change): readonly string[] {
  const has = judge({ ...account, ...change.account }, { ...stored, ...change.stored }, change.counts ?? counts, change.reruns ?? 1)
  return has.map(({ damage, what }) => `${damage}: ${what}`)
}

const without = (seq: number) => entries.filter((candidate) => candidate.seq !== seq)
const eventsWithout = (id: number) => account.events.filter((event) => event.id !== id)
const swap = (replaced: number, payload: StoredEntry['payload'], state?: TaskState) =>
  entries.map((candidate) =>
    candidate.seq === replaced ? entry(replaced, payload, state ?? candidate.state, candidate.replyTo) : candidate,
  )

it('finds nothing where all is well', () => {
  expect(find({})).toEqual([])
})

it('finds a task that is not there', () => {
  expect(judge(account, undefined, counts, 0)).toEqual([{ damage: 'lost', what: 'its task is not in the store' }])
})

it.each<[string, Change, string]>([
  ['a gap in the log', { stored: { entries: without(2) } }, 'lost: entries 2 to 2 of the log'],
  ['an entry twice', { stored: { entries: [...entries.slice(0, 2), ...entries.slice(1)] } }, 'doubled: entry 2 of the log'],
  ['a log that is cut off', { stored: { entries: without(7) } }, 'lost: the log ends with 6, the task says 7'],
  ['two ends', { stored: { entries: swap(6, end, 'TASK_STATE_COMPLETED') } }, 'doubled: 2 entries in a terminal state: 6, 7'],
  ['a task without an end', { stored: { state: 'TASK_STATE_WORKING' } }, 'stuck: the task is TASK_STATE_WORKING'],
  ['a lost message', { stored: { inbox: stored.inbox.slice(1) } }, 'lost: message one in the inbox'],
  ['a doubled message', { stored: { history: ['one', 'two', 'one'] } }, 'doubled: message one in the history, 2 times'],
  [
    'a message that waits',
    { stored: { inbox: stored.inbox.map((row) => ({ ...row, handled: false })) } },
    'stuck: message one is not handled',
  ],
  ['a message of nobody', { account: { acknowledged: account.acknowledged.slice(0, 1) } }, 'wrong: nobody was told of message two'],
  ['a command without a reply', { stored: { entries: without(4) } }, 'lost: the reply to command two'],
  ['a lost chunk', { stored: { entries: swap(5, { internal: {} }) } }, 'lost: chunks 2 of artifact first of the log'],
  ['a doubled chunk', { stored: { entries: swap(5, chunk('1 2 ')) } }, 'doubled: chunks 1 of artifact first of the log'],
  [
    'chunks in another order',
    { stored: { entries: swap(5, chunk('3 ')).map((e) => (e.seq === 6 ? { ...e, payload: chunk('2 ') } : e)) } },
    'wrong: the order of the chunks in artifact first of the log',
  ],
  ['a lost event', { account: { events: eventsWithout(6) } }, 'lost: events 6 of the stream'],
  [
    'a doubled event',
    { account: { events: [...account.events.slice(0, 2), ...account.events.slice(1)] } },
    'doubled: events 3 of the stream',
  ],
  [
    'an event that differs from the log',
    { account: { events: [{ id: 1, payload: begin }, ...account.events.slice(1).map((event) => ({ ...event, payload: end }))] } },
    "wrong: events 3 4 5 6 of the stream are not the log's",
  ],
  ['a stream of nothing', { account: { events: [] } }, 'lost: the whole stream'],
  [
    'another state',
    { account: { task: { ...task, status: { ...task.status, state: 'TASK_STATE_FAILED' } } } },
    'wrong: GetTask ends TASK_STATE_FAILED instead of TASK_STATE_COMPLETED',
  ],
  ['other words', { stored: { entries: swap(7, status('TASK_STATE_COMPLETED', 'no')) } }, 'wrong: the log says "no" in the end'],
  [
    'another artifact',
    { account: { task: { ...task, artifacts: [...(task.artifacts ?? []), { artifactId: 'x', parts: [{ text: '' }] }] } } },
    'wrong: GetTask has an artifact x',
  ],
  ['a step that never ran', { counts: {} }, 'lost: counter r1t1-a'],
  [
    'two steps in place of one',
    { counts: { ...counts, 'r1t1-b': { keys: 2, runs: 2 } } },
    'doubled: counter r1t1-b was counted by 2 steps',
  ],
  [
    'a step that ran again for no reason',
    { reruns: 0 },
    'doubled: counter r1t1-a: its step ran 2 times, and the faults explain 0 more than one',
  ],
  ['a Message with other words', { account: { answer: 'no' } }, 'wrong: the Message says "no"'],
])('finds %s', (_what, change, finding) => {
  expect(find(change)).toContain(finding)
})
