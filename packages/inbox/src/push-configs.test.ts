import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MessageJson } from '@moorage/protocol'
import type { AuditRow, Principal, PushConfigRecord, TaskStore } from '@moorage/store'
import { openSqliteStore } from '@moorage/store/sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { cancel, deletePushConfig, putPushConfig, receive } from './receive.js'
import { MAX_PUSH_CONFIGS } from './reception.js'

const AGENT = 'support'
const alice: Principal = { tenant: 't', subject: 'alice', participant: 'alice', claims: {} }
const bob: Principal = { ...alice, subject: 'bob', participant: 'bob' }
const hook = (id: string): PushConfigRecord => ({ id, url: `https://example.com/${id}`, sealed: 'k:sealed', wireVersion: '1.0' })

/** The audit rows are told to the test: a store has no way to read them. */
async function openStore() {
  const folder = await mkdtemp(join(tmpdir(), 'moorage-inbox-'))
  const opened = await openSqliteStore({ path: join(folder, 'test.db') })
  onTestFinished(async () => {
    await opened.close()
    await rm(folder, { recursive: true })
  })
  const audit: AuditRow[] = []
  const tell = (row: AuditRow, record: (row: AuditRow) => Promise<void>) => {
    audit.push(row)
    return record(row)
  }
  const transact: TaskStore['transact'] = (ids, decide, options) =>
    opened.transact(ids, (tx) => decide({ ...tx, audit: (row) => tell(row, tx.audit) }), options)
  const store: TaskStore = new Proxy(opened, {
    get: (target, name) => {
      const value = name === 'transact' ? transact : Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { store, audit }
}

function send(store: TaskStore, fields: Partial<MessageJson> = {}, config?: PushConfigRecord) {
  const message: MessageJson = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: 'hello' }], ...fields }
  return receive(store, { agent: AGENT, commands: new Set() }, alice, message, config && (async () => config))
}

async function newTask(store: TaskStore, config?: PushConfigRecord): Promise<string> {
  const reception = await send(store, {}, config)
  if (reception.result !== 'accepted') throw new Error(reception.reason)
  return reception.receipt.taskId
}

const put = (store: TaskStore, taskId: string, config: PushConfigRecord, who = alice) => putPushConfig(store, AGENT, who, taskId, config)
const configsOf = async (store: TaskStore, taskId: string) => (await store.pushConfigs(taskId, { pageSize: 100 }))?.configs

test('registers, replaces and deletes, also on a task that has ended', async () => {
  const { store } = await openStore()
  const taskId = await newTask(store)
  await cancel(store, AGENT, alice, taskId)
  for (const config of [hook('a'), hook('b'), { ...hook('a'), url: 'https://example.com/new' }]) {
    expect(await put(store, taskId, config)).toEqual({ result: 'done' })
  }
  expect((await configsOf(store, taskId))?.map(({ url }) => url)).toEqual(['https://example.com/new', 'https://example.com/b'])
  for (const _ of ['first', 'again']) expect(await deletePushConfig(store, AGENT, alice, taskId, 'a')).toEqual({ result: 'done' })
  expect(await configsOf(store, taskId)).toEqual([hook('b')])
})

test('tells nobody but its participants that a task is there', async () => {
  const { store, audit } = await openStore()
  const taskId = await newTask(store)
  const notFound = (id: string) => ({ result: 'refused', reason: 'task-not-found', taskId: id })
  expect(await put(store, taskId, hook('a'), bob)).toEqual(notFound(taskId))
  expect(await put(store, 'none', hook('a'), bob)).toEqual(notFound('none'))
  expect(await deletePushConfig(store, AGENT, bob, taskId, 'a')).toEqual(notFound(taskId))
  expect(await configsOf(store, taskId)).toEqual([])
  expect(audit.slice(1)).toMatchObject([
    { operation: 'create push config', outcome: 'refused', reason: 'task-not-found', taskId, principal: bob },
    { operation: 'create push config', outcome: 'refused', reason: 'task-not-found', taskId: 'none' },
    { operation: 'delete push config', outcome: 'refused', reason: 'task-not-found', taskId },
  ])
})

test('lets a watcher change nothing', async () => {
  const { store } = await openStore()
  const row = { key: 'k', digest: 'd', message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }] }, sender: bob } as const
  const task = {
    id: 'watched',
    agent: AGENT,
    tenant: 't',
    contextId: 'c',
    participants: [{ participant: 'alice', role: 'watcher' }],
  } as const
  await store.transact(['watched'], (tx) => tx.create(task, row))
  const refused = { result: 'refused', reason: 'role', taskId: 'watched' }
  expect(await put(store, 'watched', hook('a'))).toEqual(refused)
  expect(await deletePushConfig(store, AGENT, alice, 'watched', 'a')).toEqual(refused)
})

test('refuses one more than a task may have, but replaces', async () => {
  const { store, audit } = await openStore()
  const taskId = await newTask(store)
  for (let number = 1; number <= MAX_PUSH_CONFIGS; number += 1) await put(store, taskId, hook(`c${number}`))
  const refused = { result: 'refused', reason: 'push-configs', taskId }
  expect(await put(store, taskId, hook('more'))).toEqual(refused)
  expect(await send(store, { taskId }, hook('more'))).toEqual(refused)
  expect(await store.record(taskId)).toMatchObject({ position: 1 })
  expect(await put(store, taskId, hook('c1'))).toEqual({ result: 'done' })
  expect(await send(store, { taskId }, hook('c2'))).toMatchObject({ result: 'accepted' })
  expect(JSON.stringify(audit)).not.toMatch(/sealed|example\.com/)
})

test('registers what comes with a message in its transaction, and nothing with a duplicate or a refusal', async () => {
  const { store, audit } = await openStore()
  const messageId = 'once'
  const first = await send(store, { messageId }, hook('a'))
  if (first.result !== 'accepted') throw new Error(first.reason)
  const { taskId } = first.receipt
  expect(await configsOf(store, taskId)).toEqual([hook('a')])
  await deletePushConfig(store, AGENT, alice, taskId, 'a')
  expect(await send(store, { messageId }, hook('a'))).toMatchObject({ receipt: { duplicate: true } })
  await cancel(store, AGENT, alice, taskId)
  expect(await send(store, { taskId }, hook('b'))).toMatchObject({ reason: 'terminal' })
  expect(await configsOf(store, taskId)).toEqual([])
  expect(audit.map(({ operation, outcome }) => [operation, outcome])).toEqual([
    ['message', 'accepted'],
    ['delete push config', 'accepted'],
    ['message', 'duplicate'],
    ['cancel', 'accepted'],
    ['message', 'refused'],
  ])
})

test('seals for the id that the task will have', async () => {
  const { store } = await openStore()
  const sealedFor: string[] = []
  const message: MessageJson = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hello' }] }
  const reception = await receive(store, { agent: AGENT, commands: new Set() }, alice, message, async (taskId) => {
    sealedFor.push(taskId)
    return hook('a')
  })
  expect(reception).toMatchObject({ receipt: { taskId: sealedFor[0] } })
})
