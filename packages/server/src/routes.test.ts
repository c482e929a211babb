import { describe, expect, test } from 'vitest'
import { testCard } from './testing/test-agent.js'
import { startTestServer } from './testing/test-server.js'

const VERBS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', '__proto__', 'constructor'] as const

/** Every path with the verbs that it has. */
const PATHS: readonly (readonly [string, readonly string[]])[] = [
  ['/.well-known/agent-card.json', ['GET', 'HEAD', 'OPTIONS']],
  ['/healthz', ['GET', 'HEAD']],
  ['/readyz', ['GET', 'HEAD']],
  ['/openapi.json', ['GET', 'HEAD', 'OPTIONS']],
  ['/a2a', ['POST']],
  ['/a2a/', ['POST']],
  ...['', '/acme', '/other'].flatMap((tenant): [string, string[]][] => [
    [`/a2a${tenant}/message:send`, ['POST']],
    [`/a2a${tenant}/message:stream`, ['POST']],
    [`/a2a${tenant}/tasks`, ['GET', 'HEAD']],
    [`/a2a${tenant}/tasks/x`, ['GET', 'HEAD']],
    [`/a2a${tenant}/tasks/x:cancel`, ['POST']],
    [`/a2a${tenant}/tasks/x:subscribe`, ['GET', 'POST']],
    [`/a2a${tenant}/tasks/x/pushNotificationConfigs`, ['POST', 'GET', 'HEAD']],
    [`/a2a${tenant}/tasks/x/pushNotificationConfigs/y`, ['GET', 'HEAD', 'DELETE']],
    [`/a2a${tenant}/extendedAgentCard`, ['GET', 'HEAD']],
  ]),
]

/** Paths that are none, whatever the verb. */
const NOWHERE = [
  '/',
  '/nope',
  '/.well-known',
  '/.well-known/agent.json',
  '/.well-known/jwks.json',
  '/healthz/',
  '/a2a//',
  '/a2a//tasks',
  '/a2a/nope',
  '/a2a/tasks/',
  '/a2a/tasks/x:nope/',
  '/a2a/acme/nope',
  '/a2a/acme/other/tasks',
  '/a2a/tasks/tasks/x/y',
  '/a2a/v1/tasks',
  '/a2a/ui/tasks',
  '/a2a/a2a/tasks',
  '/a2a/%2e%2e/tasks/x/y',
  '/a2a/tasks/%ff',
  '/a2a/tasks/%',
  '/A2A/tasks',
  '/a2a/Tasks',
]

const card = testCard({
  supportedInterfaces: testCard().supportedInterfaces.flatMap((entry) => [entry, { ...entry, tenant: 'acme' }]),
})

describe('the routes', () => {
  test.each(PATHS)('%s has the verbs %j, and says so to every other', async (path, allowed) => {
    const server = await startTestServer({ card })
    for (const method of VERBS) {
      const response = await server.fetch(path, { method, headers: { 'A2A-Version': '1.0' } })
      if (allowed.includes(method)) expect([method, response.status]).not.toEqual([method, 405])
      else {
        expect([method, response.status, response.headers.get('Allow')?.split(', ').toSorted()]).toEqual([
          method,
          405,
          [...allowed].toSorted(),
        ])
        expect(response.headers.get('Content-Type')).toMatch(/^application\/(a2a\+)?json$/)
        const text = await response.text()
        if (method !== 'HEAD') expect(JSON.parse(text)).toMatchObject({ error: { code: 405, status: 'UNIMPLEMENTED' } })
      }
    }
    expect(server.logged).toEqual([])
  })

  test.each(NOWHERE)('%s is none', async (path) => {
    const server = await startTestServer({ card })
    for (const method of VERBS) {
      const response = await server.fetch(path, { method, headers: { 'A2A-Version': '1.0' } })
      expect([method, response.status, response.headers.has('Allow')]).toEqual([method, 404, false])
      const text = await response.text()
      if (method !== 'HEAD') expect(JSON.parse(text)).toMatchObject({ error: { code: 404, status: 'NOT_FOUND' } })
    }
  })
})

describe('a tenant', () => {
  const tasks = async (path: string, init: RequestInit = {}, tenant = 'a c/m%e:ü') => {
    const supportedInterfaces = testCard().supportedInterfaces.flatMap((entry) => [entry, { ...entry, tenant }])
    const server = await startTestServer({ card: testCard({ supportedInterfaces }) })
    const response = await server.fetch(path, { ...init, headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/json' } })
    return [response.status, JSON.stringify(await response.json())]
  }

  test('may be percent-encoded in a path, as in a query', async () => {
    const encoded = encodeURIComponent('a c/m%e:ü')
    expect((await tasks(`/a2a/${encoded}/tasks`))[0]).toBe(200)
    expect((await tasks(`/a2a/tasks?tenant=${encoded}`))[0]).toBe(200)
    expect((await tasks(`/a2a/${encoded}/tasks?tenant=${encoded}`))[0]).toBe(200)
    expect((await tasks(`/a2a/${encoded}/tasks?tenant=other`))[0]).toBe(400)
    expect((await tasks(`/a2a/${encodeURIComponent(encoded)}/tasks`))[0]).toBe(400)
  })

  test.each([
    ['?tenant=acme', 'other'],
    ['?tenant=other', 'acme'],
    ['?tenant=acme&tenant=other', undefined],
    ['?tenant=other&tenant=acme', 'acme'],
  ])('is one: a POST with %s and %j in its body is refused', async (query, tenant) => {
    const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] }
    const [status, body] = await tasks(`/a2a/message:send${query}`, { method: 'POST', body: JSON.stringify({ message, tenant }) }, 'acme')
    expect([status, body]).toEqual([400, expect.stringContaining('"field":"tenant"')])
  })
})
