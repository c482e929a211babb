import { ERROR_TABLE, type ErrorName } from '@moorage/protocol'
import { describe, expect, test } from 'vitest'
import { BINDINGS, type Fields } from './testing/bindings.js'
import { startTestServer } from './testing/test-server.js'
import { hello } from './testing/test-tasks.js'

/** What a test writes where a value stands in the JSON that cannot be made with JSON.stringify. */
const HOLE = 'HOLE'

const deep = (levels: number): unknown => (levels === 0 ? 'x' : [deep(levels - 1)])

describe.each(BINDINGS)('the body of a request over $name', (binding) => {
  /** Sends the message with raw bytes or JSON in place of `HOLE`. */
  async function send(message: Fields, hole: string | Uint8Array, headers: Readonly<Record<string, string>> = {}) {
    const server = await startTestServer()
    const request = { message: hello(message), configuration: { returnImmediately: true } }
    let sent = ''
    const fetch = async (_path: string, init?: RequestInit) => {
      sent = String(init?.body)
      return new Response()
    }
    await binding.call({ ...server, fetch }, 'sendMessage', request)
    const [before = '', after = ''] = sent.split(hole instanceof Uint8Array ? HOLE : `"${HOLE}"`)
    const body = new Blob([before, hole instanceof Uint8Array ? Uint8Array.from(hole) : hole, after])
    const type = headers['Content-Type'] ?? 'application/json'
    const response = await binding.call(server, 'sendMessage', request, { body, headers: { ...headers, 'Content-Type': type } })
    return { server, response }
  }

  async function expectRefusal(response: Response, error: ErrorName, field?: string) {
    const told = await binding.error(response)
    expect(told).toMatchObject(binding.expected(ERROR_TABLE[error]))
    if (field !== undefined)
      expect(told.details).toContainEqual(expect.objectContaining({ fieldViolations: [expect.objectContaining({ field })] }))
    return told
  }

  test.each<[Fields, string, string]>([
    [{ metadata: { a: { b: HOLE } } }, '1e400', 'message.metadata.a.b'],
    [{ metadata: { a: HOLE } }, '-1e400', 'message.metadata.a'],
    [{ parts: [{ text: '', metadata: { a: HOLE } }] }, '1e999', 'message.parts[0].metadata.a'],
    [{ parts: [{ data: [1, HOLE] }] }, '1e400', 'message.parts[0].data[1]'],
    [{ unknown: HOLE }, '1e400', 'message.unknown'],
    [{ role: HOLE }, '1e400', 'message.role'],
  ])('holds no number that a double cannot: %j', async (message, number, field) => {
    const { server, response } = await send(message, number)
    await expectRefusal(response, 'RequestMalformedError', field)
    expect(server.logged).toEqual([])
  })

  test.each<[Fields, string]>([
    [{ parts: [{ text: HOLE }] }, '"a\\ud800b\\u0000"'],
    [{ metadata: { a: HOLE } }, '{"\\udc00":["\\ud800"],"__proto__":{"toJSON":1},"constructor":null,"toJSON":"x","":-0}'],
    [{ parts: [{ text: '', filename: HOLE }] }, '"\\udfff"'],
    [{ metadata: { a: HOLE } }, '123456789012345678901234567890e-5'],
  ])('is recorded and given back, however odd it is: %j with %s', async (message, odd) => {
    const { server, response } = await send(message, odd)
    expect(response.status).toBe(200)
    const { task } = (await binding.result(response)) as { task: { id: string; history: object[] } }
    const read = await binding.result(await binding.call(server, 'getTask', { id: task.id }))
    expect(JSON.stringify(read['history'])).toContain(JSON.stringify(JSON.parse(odd)))
    expect(server.logged).toEqual([])
  })

  test.each([[[0xff]], [[0xc3]], [[0xed, 0xa0, 0x80]], [[0xc0, 0x80]]])('is refused where it is not UTF-8: %j', async (bytes) => {
    const { server, response } = await send({ messageId: `m-${HOLE}` }, Uint8Array.from(bytes))
    await expectRefusal(response, 'ParseError')
    expect(server.wakes).toEqual([])
  })

  test.each([
    { 'Content-Type': 'application/json; charset=iso-8859-1' },
    { 'Content-Type': 'application/json; Charset="UTF-16"' },
    { 'Content-Type': 'application/json; charset=utf-8; charset=latin1' },
    { 'Content-Encoding': 'gzip' },
    { 'Content-Encoding': 'identity, br' },
  ])('is refused with %j before it is parsed', async (headers) => {
    const server = await startTestServer()
    const all = { 'Content-Type': 'application/json', ...headers }
    const told = await expectRefusal(
      await binding.call(server, 'sendMessage', {}, { body: '{', headers: all }),
      'ContentTypeNotSupportedError',
    )
    expect(told.message).toMatch('Content-Encoding' in headers ? /Content-Encoding/ : /charset/)
  })

  test.each([
    { 'Content-Type': 'application/json; charset=UTF-8' },
    { 'Content-Type': 'application/json;charset="utf-8"; x=y' },
    { 'Content-Encoding': 'Identity' },
  ])('is taken with %j', async (headers: Readonly<Record<string, string>>) => {
    expect((await send({ metadata: { a: HOLE } }, '"ä"', headers)).response.status).toBe(200)
  })

  test('does not come back in an error, however long its keys are', async () => {
    const server = await startTestServer()
    const key = 'k'.repeat(1_000_000)
    const response = await binding.call(server, 'sendMessage', { message: hello({ metadata: { [key]: deep(70) } }) })
    expect((await response.text()).length).toBeLessThan(2000)
  })
})
