import { describe, expect, test } from 'vitest'
import { BINDINGS } from './testing/bindings.js'
import { testCard } from './testing/test-agent.js'
import { startTestServer } from './testing/test-server.js'
import { hello } from './testing/test-tasks.js'

const [A, B] = ['urn:example:a', 'urn:example:b']
const card = (required = false) =>
  testCard({ capabilities: { streaming: true, pushNotifications: false, extensions: [{ uri: A, required }, { uri: B }] } })

describe.each(BINDINGS)('the service parameters over $name', (binding) => {
  const get = async (headers: Readonly<Record<string, string>>, options: Parameters<typeof startTestServer>[0] = { card: card() }) =>
    binding.call(await startTestServer(options), 'getTask', { id: 'nope' }, { headers })

  test.each(['1.0', '1.0.7', ' 1.0 ', '1.0.0', '1.0, 1.0', '1.0,1.0.7, '])('take version "%s" for 1.0', async (version) => {
    expect((await binding.error(await get({ 'A2A-Version': version }))).details).toMatchObject([{ reason: 'TASK_NOT_FOUND' }])
  })

  test.each(['1', '1.0.', '1.0.x', '01.0', '1.0, 0.3', '1.1', '0.3.0', '1.0.0.0'])('refuse version "%s"', async (version) => {
    expect((await binding.error(await get({ 'A2A-Version': version }))).details).toMatchObject([{ reason: 'VERSION_NOT_SUPPORTED' }])
  })

  test.each([
    [
      'header',
      [
        ['A2A-Version', '1.0'],
        ['a2a-version', '0.3'],
      ],
      '',
    ],
    ['query', [], 'A2A-Version=1.0&A2A-Version=0.3'],
    ['query', [], 'A2A-Version=0.3&A2A-Version=1.0'],
  ] as [string, [string, string][], string][])('refuse two versions in the %s, and say so', async (_, versions, query) => {
    const { code, details, message } = await binding.error(await ask(versions, query))
    expect([code, message]).toEqual([
      binding.name === 'JSON-RPC' ? -32009 : 400,
      expect.stringMatching(/^A2A-Version names several versions: send the A2A-Version header with /),
    ])
    expect(details).toMatchObject([{ reason: 'VERSION_NOT_SUPPORTED' }])
  })

  test.each([
    [
      'header',
      [
        ['A2A-Version', '1.0'],
        ['a2a-version', '1.0'],
      ],
      '',
    ],
    ['query', [], 'A2A-Version=1.0&A2A-Version=1.0'],
    ['header before the query', [['A2A-Version', '1.0']], 'A2A-Version=0.3'],
  ] as [string, [string, string][], string][])('take one version twice in the %s for one', async (_, versions, query) => {
    expect((await ask(versions, query)).status).toBe(200)
  })

  /** Lists tasks with these headers, and with this query. */
  async function ask(versions: [string, string][], query: string): Promise<Response> {
    const server = await startTestServer({ card: card() })
    const { headers } = new Request('http://x', { headers: [['Content-Type', 'application/json'], ...versions] })
    const join = (path: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`
    return binding.call({ ...server, fetch: (path, init) => server.fetch(join(path), { ...init, headers }) }, 'listTasks')
  }

  test('refuse an extension that the card does not declare, and make no task', async () => {
    const server = await startTestServer({ card: card() })
    const headers = { 'A2A-Extensions': `${A}, urn:example:unknown` }
    for (const operation of ['sendMessage', 'sendStreamingMessage'] as const) {
      const response = await binding.call(server, operation, { message: hello() }, { headers })
      expect((await binding.error(response)).details).toMatchObject([{ reason: 'UNSUPPORTED_OPERATION' }])
    }
    expect(server.wakes).toEqual([])
    expect((await binding.result(await binding.call(server, 'listTasks')))['totalSize']).toBe(0)
  })

  test.each<[string, string]>([
    ['urn:example:unknown', '"urn:example:unknown"'],
    [`${A}, urn:b, urn:c`, '"urn:b"'],
    ['urn:"q"\\', String.raw`"urn:\"q\"\\"`],
    ['urn:\t\x80\xe4', String.raw`"urn:\t\u0080\u00e4"`],
    [`urn:${'x'.repeat(300)}`, `"urn:${'x'.repeat(196)}…"`],
  ])('name the extension that is not declared, escaped and not at length: %j', async (header, named) => {
    const { message } = await binding.error(await get({ 'A2A-Extensions': header }))
    expect(message).toBe(`A2A-Extensions names an extension that the agent card does not declare: ${named}`)
  })

  test('leave an unknown extension out where they are told to, and name it nowhere', async () => {
    const server = await startTestServer({ card: card(), unknownExtensions: 'ignore' })
    const headers = { 'A2A-Extensions': `urn:example:unknown, ${B}` }
    const response = await binding.call(server, 'listTasks', {}, { headers })
    expect([response.status, response.headers.get('A2A-Extensions')]).toEqual([200, B])
    const none = await binding.call(server, 'listTasks', {}, { headers: { 'A2A-Extensions': 'urn:example:unknown' } })
    expect([none.status, none.headers.has('A2A-Extensions')]).toEqual([200, false])
  })

  test('demand a required extension, whatever becomes of unknown ones', async () => {
    for (const unknownExtensions of ['refuse', 'ignore'] as const) {
      const { details } = await binding.error(await get({ 'A2A-Extensions': B }, { card: card(true), unknownExtensions }))
      expect(details).toMatchObject([{ reason: 'EXTENSION_SUPPORT_REQUIRED', metadata: { uri: A } }])
    }
  })

  test.each<[string, [string, string][]]>([
    [
      'two headers',
      [
        ['A2A-Extensions', A],
        ['a2a-extensions', B],
      ],
    ],
    ['a list', [['A2A-Extensions', `${A},${B}`]]],
    ['a list with room in it', [['A2A-Extensions', ` , ${A} ,,	${B}, `]]],
  ])('read %s, and answer with what they activate', async (_, extensions) => {
    const server = await startTestServer({ card: card() })
    const base = new Request('http://x', { headers: [['A2A-Version', '1.0'], ['Content-Type', 'application/json'], ...extensions] })
    const response = await binding.call(
      { ...server, fetch: (path, init) => server.fetch(path, { ...init, headers: base.headers }) },
      'listTasks',
    )
    expect([response.status, response.headers.get('A2A-Extensions')]).toEqual([200, `${A}, ${B}`])
  })
})
