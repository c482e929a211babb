import { describe, expect, it } from 'vitest'
import { BINDINGS, type Fields, type TestBinding } from './testing/bindings.js'
import { auditOf } from './testing/database.js'
import { startTestServer, type TestServer } from './testing/test-server.js'
import { hello } from './testing/test-tasks.js'
import { json, rpc, startBoth } from './v0-3/testing/v0-3-server.js'

/** A name in a header, as the bytes of its UTF-8. */
const utf8 = (name: string) => String.fromCharCode(...new TextEncoder().encode(name))
const AS = (name: string) => ({ headers: { 'X-Participant-Id': utf8(name) } })
const request = (fields: Fields = {}) => ({ message: hello(fields), configuration: { returnImmediately: true } })

async function send(binding: TestBinding, server: TestServer, fields: Fields, init: RequestInit = {}): Promise<string> {
  const { task } = await binding.result(await binding.call(server, 'sendMessage', request(fields), init))
  return (task as { id: string }).id
}

async function total(binding: TestBinding, server: TestServer, init: RequestInit): Promise<unknown> {
  return (await binding.result(await binding.call(server, 'listTasks', {}, init)))['totalSize']
}

async function violated(binding: TestBinding, response: Response): Promise<unknown> {
  return (await binding.error(response)).details[1]
}

describe.each(BINDINGS)('without authentication, over $name', (binding) => {
  it('keeps the tasks of one participant from the next', async () => {
    const server = await startTestServer()
    const id = await send(binding, server, {}, AS('ann'))
    expect(await binding.result(await binding.call(server, 'getTask', { id }, AS('ann')))).toMatchObject({ id })
    const others = await binding.error(await binding.call(server, 'getTask', { id }, AS('bob')))
    expect(others.details[0]).toMatchObject({ reason: 'TASK_NOT_FOUND' })
  })

  it('takes the name from the header, the message or the request, and from several that agree', async () => {
    const server = await startTestServer()
    const metadata = { participantId: 'ann' }
    await send(binding, server, { messageId: 'm-1', metadata })
    const both = { ...request({ messageId: 'm-2', metadata }), metadata }
    await binding.result(await binding.call(server, 'sendMessage', both, AS('ann')))
    await binding.result(await binding.call(server, 'sendMessage', { ...request({ messageId: 'm-3' }), metadata }))
    const cleared = request({ messageId: 'm-4', metadata: { participantId: null } })
    await binding.result(await binding.call(server, 'sendMessage', cleared, AS('')))
    expect([await total(binding, server, AS('ann')), await total(binding, server, {})]).toEqual([3, 1])
  })

  it.each([
    ['the header and the message', request({ metadata: { participantId: 'bob' } }), 'message.metadata.participantId'],
    ['the header and the request', { ...request(), metadata: { participantId: 'bob' } }, 'metadata.participantId'],
  ])('refuses two names, in %s', async (_, spoofed, field) => {
    const server = await startTestServer()
    const lines = await auditOf(server, async () => {
      expect(await violated(binding, await binding.call(server, 'sendMessage', spoofed, AS('ann')))).toMatchObject({
        fieldViolations: [{ field }],
      })
    })
    expect(lines).toEqual([])
  })

  it('refuses the name of the agent itself, wherever it is', async () => {
    const server = await startTestServer()
    const lines = await auditOf(server, async () => {
      const inHeader = await binding.call(server, 'sendMessage', request(), AS('tester'))
      expect(await violated(binding, inHeader)).toMatchObject({ fieldViolations: [{ field: 'X-Participant-Id' }] })
      const inMessage = await binding.call(server, 'sendMessage', request({ metadata: { participantId: 'tester' } }))
      expect(await violated(binding, inMessage)).toMatchObject({ fieldViolations: [{ field: 'message.metadata.participantId' }] })
    })
    expect(lines).toEqual([])
  })

  it.each([
    ['a control character', 'a\u0007b'],
    ['too long', 'a'.repeat(257)],
    ['no string', 7],
    ['an object', { name: 'ann' }],
  ])('refuses a name that is %s', async (_, participantId) => {
    const server = await startTestServer()
    const response = await binding.call(server, 'sendMessage', request({ metadata: { participantId } }))
    expect(await violated(binding, response)).toMatchObject({ fieldViolations: [{ field: 'message.metadata.participantId' }] })
    if (typeof participantId !== 'string') return
    const inHeader = await binding.call(server, 'listTasks', {}, AS(participantId))
    expect(await violated(binding, inHeader)).toMatchObject({ fieldViolations: [{ field: 'X-Participant-Id' }] })
  })

  it('keeps names apart that only look the same, in the header and in the metadata alike', async () => {
    const server = await startTestServer()
    const names = ['ann', '\u0430nn', 'Ann', 'ann\u200b', 'jos\u00e9', 'jose\u0301', 'n\u{1f600}']
    for (const [number, participantId] of names.entries())
      await send(binding, server, { messageId: `m-${number}`, metadata: { participantId } })
    for (const name of names) expect(await total(binding, server, AS(name))).toBe(1)
    const latin1 = await binding.call(server, 'listTasks', {}, { headers: { 'X-Participant-Id': 'jos\u00e9' } })
    expect(await violated(binding, latin1)).toMatchObject({
      fieldViolations: [{ field: 'X-Participant-Id', description: 'Send the name in UTF-8.' }],
    })
  })
})

it('the metadata of every request of A2A 0.3 in JSON-RPC names the participant', async () => {
  const server = await startBoth()
  const metadata = { participantId: 'ann' }
  const message = { kind: 'message', messageId: 'm-1', role: 'user', parts: [{ kind: 'text', text: 'hello' }], metadata }
  const sent = await json(await rpc(server, 'message/send', { message, configuration: { blocking: false } }))
  const { id } = sent['result'] as { id: string }
  for (const method of ['tasks/get', 'tasks/cancel']) {
    expect((await json(await rpc(server, method, { id })))['error']).toMatchObject({ code: -32001 })
    const differs = await json(await rpc(server, method, { id, metadata }, { 'X-Participant-Id': 'bob' }))
    expect(differs['error']).toMatchObject({ code: -32602, data: [{}, { fieldViolations: [{ field: 'metadata.participantId' }] }] })
    expect((await json(await rpc(server, method, { id, metadata })))['result']).toMatchObject({ id })
  }
})
