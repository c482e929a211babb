import type { MessageJson } from '@moorage/protocol'
import type { AuditRow, TaskStore } from '@moorage/store'
import { describe, expect, test } from 'vitest'
import { cancel, type Policies, PolicyError, type PolicyOptions, type Reception } from './receive.js'
import { MARK } from './redact/mark.js'
import { createRedactor } from './redact/redactor.js'
import { AGENT, accepted, alice, bob, openStore, send, text } from './testing/senders.js'

const SECRET = 'correct horse battery 4711'

/** A store that tells what has been put into the audit. */
async function openAudited() {
  const store = await openStore()
  const audit: AuditRow[] = []
  const audited: TaskStore = new Proxy(store, {
    get(target, name) {
      if (name === 'transact') {
        const transact: TaskStore['transact'] = (ids, decide, options) =>
          target.transact(ids, (tx) => decide({ ...tx, audit: (row) => tx.audit(row).then(() => void audit.push(row)) }), options)
        return transact
      }
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { store: audited, audit }
}

type Asked = readonly [point: string, event: Readonly<Record<string, unknown>>]

/** Policies at all points that allow, and what they were asked. */
function recording() {
  const asked: Asked[] = []
  const note = (point: string) => (event: object) => {
    const { signal: _, ...told } = event as Readonly<Record<string, unknown>>
    asked.push([point, told])
    return { kind: 'allow', annotations: { [point]: asked.length, last: point } }
  }
  const policies: Policies = {
    'request.received': note('request.received'),
    'command.invoked': note('command.invoked'),
    'task.created': note('task.created'),
  }
  return { policies, asked }
}

function sendWith(
  store: TaskStore,
  message: MessageJson,
  policies: Policies,
  options: Omit<PolicyOptions, 'policies'> = {},
): Promise<Reception> {
  return send(store, message, alice, { policies: { policies, ...options } })
}

describe('policies', () => {
  test('are asked about each message at its points, with the task that it goes to', async () => {
    const { store } = await openAudited()
    const { policies, asked } = recording()
    const first = text('hello')
    const { receipt } = await accepted(sendWith(store, first, policies))
    const { contextId } = (await store.record(receipt.taskId)) ?? {}
    const further = text('more', { taskId: receipt.taskId })
    await accepted(sendWith(store, further, policies))
    const command = text('/status  now ', { taskId: receipt.taskId })
    await accepted(sendWith(store, command, policies))
    const task = { id: receipt.taskId, contextId, state: 'TASK_STATE_SUBMITTED', roles: ['admin', 'reporter'] }
    expect(asked).toEqual([
      ['request.received', { principal: alice, message: first }],
      ['task.created', { principal: alice, message: first, contextId }],
      ['request.received', { principal: alice, message: further, task }],
      ['command.invoked', { principal: alice, message: command, task, command: 'status', args: 'now' }],
    ])
  })

  test('leave their notes with the message, merged', async () => {
    const { store } = await openAudited()
    const { receipt } = await accepted(sendWith(store, text('hello'), recording().policies))
    const opening = await store.transact([receipt.taskId], (tx) => tx.openTurn(receipt.taskId, { id: 's', attempt: 1 }))
    const annotations = { 'request.received': 1, 'task.created': 2, last: 'task.created' }
    expect(opening).toMatchObject({ received: [{ annotations }] })
  })

  test('are not asked about duplicates, nor about what is refused without them', async () => {
    const { store, audit } = await openAudited()
    const { policies, asked } = recording()
    const message = text('hello')
    const { receipt } = await accepted(sendWith(store, message, {}))
    expect((await accepted(sendWith(store, message, policies))).receipt).toMatchObject({ ...receipt, duplicate: true })
    const stranger = await send(store, text('hi', { taskId: receipt.taskId }), bob, { policies: { policies } })
    expect(stranger).toMatchObject({ reason: 'task-not-found' })
    await cancel(store, AGENT, alice, receipt.taskId)
    expect(await sendWith(store, text('late', { taskId: receipt.taskId }), policies)).toMatchObject({ reason: 'terminal' })
    expect(asked).toEqual([])
    expect(audit.map(({ outcome }) => outcome)).toEqual(['accepted', 'duplicate', 'refused', 'accepted', 'refused'])
  })

  test.each(['request.received', 'task.created'])('refuse at %s, and leave nothing but the audit row', async (point) => {
    const { store, audit } = await openAudited()
    const refuse = () => ({ kind: 'refuse', reason: `Not ${SECRET}` })
    const redactor = createRedactor([SECRET])
    const message = text('hello')
    const reception = await sendWith(store, message, { [point]: refuse }, { redactor })
    expect(reception).toEqual({ result: 'refused', reason: 'policy', publicReason: `Not ${MARK}` })
    expect(audit).toEqual([{ agent: AGENT, principal: alice, operation: 'message', outcome: 'refused', reason: `policy: Not ${MARK}` }])
    expect(await store.countUnfinished()).toEqual(new Map())
    // Nothing remembers it: the same message may come again.
    expect((await accepted(sendWith(store, message, {}))).receipt).toMatchObject({ duplicate: false })
  })

  test('decide before the transaction decides again', async () => {
    const { store } = await openAudited()
    const { receipt } = await accepted(sendWith(store, text('hello'), {}))
    const canceling = async () => void (await cancel(store, AGENT, alice, receipt.taskId))
    const reception = await sendWith(store, text('more', { taskId: receipt.taskId }), { 'request.received': canceling })
    expect(reception).toMatchObject({ reason: 'terminal' })
  })

  test.each<[what: string, policy: () => unknown, cause: unknown]>([
    ['throws', () => Promise.reject(new Error('no rules')), { message: 'no rules' }],
    ['returns what is no decision', () => ({ allow: true }), { message: 'It must return allow(…), refuse(…) or undefined' }],
    ['returns true', () => true, { message: 'It must return allow(…), refuse(…) or undefined' }],
    ['refuses without a reason', () => ({ kind: 'refuse' }), { name: 'TypeError' }],
    [
      'notes what is no JSON',
      () => ({ kind: 'allow', annotations: [1] }),
      { message: 'Its annotations must be an object with JSON values' },
    ],
    ['notes what JSON has no number for', () => ({ kind: 'allow', annotations: { n: 1n } }), { name: 'TypeError' }],
    [
      'changes its event',
      (event?: { message: { messageId: string } }) => Object.assign(event?.message ?? {}, { messageId: 'x' }),
      { name: 'TypeError' },
    ],
  ])('fail the message, and that only, where one %s', async (_, policy, cause) => {
    const { store, audit } = await openAudited()
    const failing = sendWith(store, text('hello'), { 'request.received': policy })
    await expect(failing).rejects.toBeInstanceOf(PolicyError)
    await expect(failing).rejects.toMatchObject({ message: "The agent's policy request.received has failed", cause })
    expect(audit).toMatchObject([{ operation: 'message', outcome: 'refused', reason: 'policy-error' }])
    await accepted(sendWith(store, text('hello'), {}))
  })

  test('fail the message where one takes too long, and hear of it', async () => {
    const { store, audit } = await openAudited()
    let told: AbortSignal | undefined
    const endless: Policies['request.received'] = ({ signal }) => {
      told = signal
      return new Promise(() => {})
    }
    const late = sendWith(store, text('hello'), { 'request.received': endless }, { timeoutMs: 1 })
    await expect(late).rejects.toMatchObject({ cause: { message: 'It has not decided within 1 ms' } })
    expect(told?.aborted).toBe(true)
    expect(audit).toMatchObject([{ reason: 'policy-error' }])
  })

  test('are not waited for once the sender has gone', async () => {
    const { store, audit } = await openAudited()
    const gone = new AbortController()
    const endless = () => {
      gone.abort()
      return new Promise(() => {})
    }
    const reception = await sendWith(store, text('hello'), { 'request.received': endless }, { signal: gone.signal })
    expect(reception).toEqual({ result: 'refused', reason: 'aborted' })
    expect(audit).toMatchObject([{ outcome: 'refused', reason: 'aborted' }])
  })

  test('see frozen copies of everything', async () => {
    const { store } = await openAudited()
    const message = text('hello', { metadata: { list: [{ a: 1 }] } })
    let seen: object[] = []
    const look: Policies['request.received'] = ({ principal, message: copy }) => {
      seen = [principal, principal.claims, copy, copy.parts, ...copy.parts, copy.metadata ?? {}, copy.metadata?.['list'] as object]
      return undefined
    }
    await accepted(sendWith(store, message, { 'request.received': look }))
    expect(seen.every((value) => Object.isFrozen(value))).toBe(true)
    expect(seen).not.toContain(message)
    expect(Object.isFrozen(message)).toBe(false)
  })
})
