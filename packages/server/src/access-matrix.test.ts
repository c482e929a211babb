import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { ERROR_TABLE } from '@moorage/protocol'
import type { Participation, TaskStore } from '@moorage/store'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OperationName } from './dispatch.js'
import {
  ACCESS_MATRIX,
  AUDITED,
  type Cell,
  COLUMNS,
  type Column,
  type MatrixRow,
  printMatrix,
  type TaskKind,
} from './testing/access-matrix.js'
import type { Fields } from './testing/bindings.js'
import { openTestDatabase, type TestDatabase } from './testing/database.js'
import { MATRIX_WAYS, type MatrixWay } from './testing/matrix-ways.js'
import { playTurn, says } from './testing/play.js'
import { PUSH_KEYS } from './testing/push.js'
import { caller, forTestCallers, testAuthenticator } from './testing/test-callers.js'
import { startTestServer, type TestServer } from './testing/test-server.js'
import { bothVersions } from './v0-3/testing/v0-3-server.js'

const ROLES = ['assignee', 'reporter', 'admin', 'watcher'] as const
const MEMBERS: readonly Participation[] = ROLES.map((role) => ({ participant: role, role }))
const url = 'https://example.com/hook'

/** Who asks, for which task. */
interface Asker {
  readonly who: string
  readonly subject: string
  readonly tenant: string
  readonly taskId: string
}

/** The callers of a column, each with the task that it asks for. */
function askersOf(column: Column, kind: TaskKind): readonly Asker[] {
  const asker = (who: string, subject: string, taskId: string, tenant = ''): Asker => ({ who, subject, tenant, taskId })
  const own = `own-${kind}`
  if (column === 'no participant') {
    return [asker('nobody', 'nobody', own), asker('nobody, of no task', 'nobody', 'unknown'), asker('the agent itself', 'tester', own)]
  }
  if (column !== 'anybody else') return [asker(column, column, own)]
  return [
    asker('a member, of no task', 'reporter', 'unknown'),
    asker('another participant', 'stranger', own),
    asker('a namesake in another tenant', 'reporter', own, 'elsewhere'),
    asker('a member, of a task of others', 'reporter', `theirs-${kind}`),
    asker('a member, of a task of another tenant', 'reporter', `elsewhere-${kind}`),
    asker('a member, of a task of another agent', 'reporter', `agent-${kind}`),
  ]
}

function requestOf(operation: OperationName, taskId: string | undefined): Fields {
  if (operation.startsWith('send')) {
    const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: 'hello' }], ...(taskId !== undefined && { taskId }) }
    return { message, configuration: { returnImmediately: true } }
  }
  if (operation === 'listTasks') return { pageSize: 100 }
  if (operation === 'getExtendedAgentCard') return {}
  if (operation === 'createTaskPushNotificationConfig') return { taskId, id: 'hook', url }
  if (operation === 'deleteTaskPushNotificationConfig') return { taskId, id: 'gone' }
  if (operation === 'getTaskPushNotificationConfig') return { taskId, id: 'hook' }
  return operation === 'listTaskPushNotificationConfigs' ? { taskId } : { id: taskId }
}

interface NewTaskFields {
  readonly agent?: string
  readonly tenant?: string
  readonly participants?: readonly Participation[]
}

async function makeTask(store: TaskStore, id: string, kind: TaskKind, fields: NewTaskFields = {}): Promise<void> {
  const message = { messageId: id, role: 'ROLE_USER', parts: [{ text: 'hi' }] } as const
  const sender = { tenant: fields.tenant ?? '', subject: 'other', participant: 'other', claims: {} }
  await store.transact([id], async (tx) => {
    await tx.create(
      { id, agent: 'tester', tenant: '', contextId: 'c', participants: MEMBERS, ...fields },
      { key: id, digest: 'd', message, sender },
    )
    await tx.putPushConfig(id, { id: 'hook', url, wireVersion: '1.0' })
  })
  if (kind === 'ended') await store.transact([id], (tx) => tx.end(id, 'TASK_STATE_FAILED'))
  if (kind === 'asking') await playTurn(store, id, { kind: 'require-auth', scheme: 'calendar', message: says('May I?') })
}

let server: TestServer
let database: TestDatabase
const takeDowns: (() => Promise<void>)[] = []

beforeAll(async () => {
  const capabilities = { streaming: true, pushNotifications: true }
  server = await startTestServer({
    card: forTestCallers(bothVersions({ capabilities })),
    pushKeys: PUSH_KEYS,
    authenticate: [testAuthenticator],
    resolveParticipant: ({ subject }) => (subject === 'nobody' ? undefined : subject),
    limits: { ratePerMinute: 0, streamsPerPeer: 10_000 },
    onFinished: (takeDown) => takeDowns.push(takeDown),
  })
  database = openTestDatabase(server.path)
  for (const kind of ['open', 'ended', 'asking'] as const) {
    await makeTask(server.store, `own-${kind}`, kind)
    await makeTask(server.store, `theirs-${kind}`, kind, { participants: [{ participant: 'bob', role: 'admin' }] })
    await makeTask(server.store, `elsewhere-${kind}`, kind, { tenant: 'elsewhere', participants: MEMBERS.slice(0, 1) })
    await makeTask(server.store, `agent-${kind}`, kind, { agent: 'other' })
  }
})

afterAll(async () => {
  database.close()
  for (const takeDown of takeDowns) await takeDown()
})

/** Why the audit says that it was refused. */
function reasonOf(cell: Cell, column: Column, kind: TaskKind): string {
  if (cell === 'TaskNotFoundError') return 'task-not-found'
  if (cell === 'PermissionDenied') return 'no-participant'
  return cell === 'UnsupportedOperationError' && (column === 'watcher' || kind === 'asking') ? 'role' : 'terminal'
}

/** Answers differ in the id that was asked for, and in nothing else. */
function anonymous(response: Response, text: string, taskId: string): readonly unknown[] {
  const headers = [...response.headers].filter(([name]) => name !== 'date' && name !== 'content-length')
  return [response.status, headers, text.replaceAll(taskId, 'ID')]
}

describe.each(MATRIX_WAYS)('over $name', (way) => {
  const rows = ACCESS_MATRIX.flatMap((matrixRow) =>
    matrixRow.operations
      .filter(way.has)
      .flatMap((operation) => matrixRow.on.map((kind) => ({ ...matrixRow, operation, kind, name: `${operation} (${kind})` }))),
  )

  test.each(rows)('$name is for whom the table says, and nobody else learns or leaves anything', async (attempt) => {
    const answers: (readonly unknown[])[] = []
    for (const column of COLUMNS)
      for (const asker of askersOf(column, attempt.kind)) answers.push(await expectCell(way, attempt, column, asker))
    const [unknown, ...others] = answers.filter(([notFound]) => notFound)
    for (const other of others) expect(other).toEqual(unknown)
  })
})

/** @returns whether the answer was that there is no such task, and that answer */
async function expectCell(way: MatrixWay, attempt: Attempt, column: Column, asker: Asker): Promise<readonly unknown[]> {
  const cell = cellOf(way, attempt, column)
  if (cell !== 'yes') return [cell === 'TaskNotFoundError', ...(await expectRefused(way, attempt, column, cell, asker))]
  await expectDone(way, attempt, asker)
  return [false]
}

/** One operation on one kind of task. */
interface Attempt extends MatrixRow {
  readonly operation: OperationName
  readonly kind: TaskKind
}

function cellOf({ version }: MatrixWay, { cells, inV03 }: MatrixRow, column: Column): Cell {
  return (version === '0.3' ? inV03[cells[column]] : undefined) ?? cells[column]
}

async function ask(way: MatrixWay, operation: OperationName, { subject, tenant }: Asker, taskId: string | undefined): Promise<Response> {
  return way.call(server, operation, requestOf(operation, taskId), caller(subject, tenant))
}

async function expectDone(way: MatrixWay, { operation, kind }: Attempt, asker: Asker): Promise<void> {
  const before = database.audit().length
  // What is canceled or authorised is nothing for the next caller.
  const fresh = operation === 'cancelTask' || operation === 'authorizeTask' ? randomUUID() : undefined
  if (fresh) await makeTask(server.store, fresh, kind)
  const response = await ask(way, operation, asker, kind === 'none' ? undefined : (fresh ?? asker.taskId))
  expect(response.status, asker.who).toBe(200)
  if (response.headers.get('Content-Type') === 'text/event-stream') await response.body?.cancel()
  else await expectResult(operation, asker, (await response.json()) as Fields)
  const changes = !/^(?:get|list|subscribe)/.test(operation)
  const lines = database.audit(before).filter(({ outcome }) => outcome !== 'not run')
  expect(lines).toMatchObject(changes ? [{ operation: AUDITED[operation], outcome: 'accepted' }] : [])
}

async function expectResult(operation: OperationName, { subject }: Asker, body: Fields): Promise<void> {
  expect(body).not.toHaveProperty('error')
  if (operation !== 'listTasks') return
  const { tasks, totalSize } = (body['result'] ?? body) as { tasks: readonly { id: string }[]; totalSize: number }
  expect(tasks).toHaveLength(totalSize)
  expect(tasks.length === 0).toBe(subject === 'nobody' || subject === 'tester')
  for (const { id } of tasks) {
    expect(await server.store.record(id)).toMatchObject({
      agent: 'tester',
      participants: expect.arrayContaining([expect.objectContaining({ participant: subject })]),
    })
  }
}

async function expectRefused(
  way: MatrixWay,
  { operation, kind }: Attempt,
  column: Column,
  cell: Exclude<Cell, 'yes'>,
  asker: Asker,
): Promise<readonly unknown[]> {
  const before = { content: database.content(), audit: database.audit().length }
  const taskId = kind === 'none' ? undefined : asker.taskId
  const response = await ask(way, operation, asker, taskId)
  const text = await response.text()
  expect(way.told(response, text), `${asker.who}: ${text}`).toEqual(way.expected(cell))
  expect(database.content() === before.content, `${asker.who} left something`).toBe(true)
  const line = {
    tenant: asker.tenant,
    subject: asker.subject,
    participant: column === 'no participant' ? '' : asker.subject,
    task_id: taskId ?? null,
    operation: AUDITED[operation],
    outcome: 'refused',
    reason: operation === 'subscribeToTask' && cell === 'UnsupportedOperationError' ? 'terminal' : reasonOf(cell, column, kind),
  }
  const lines = database.audit(before.audit)
  expect(lines, asker.who).toEqual(AUDITED[operation] === undefined ? [] : [line])
  return anonymous(response, text, asker.taskId)
}

test('the table names every operation and errors that there are', () => {
  const operations = new Set(ACCESS_MATRIX.flatMap((matrixRow: MatrixRow) => matrixRow.operations))
  // The eleven of A2A, and the authorisation.
  expect(operations.size).toBe(12)
  for (const { cells } of ACCESS_MATRIX)
    for (const cell of Object.values(cells)) expect([...Object.keys(ERROR_TABLE), 'yes']).toContain(cell)
})

test('the README prints the table', async () => {
  const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8')
  expect(readme).toContain(printMatrix())
})
