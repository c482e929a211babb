import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { ROUTES, routesOf } from '../http-json/match-route.js'
import { PUSH_KEYS } from '../testing/push.js'
import { testCard } from '../testing/test-agent.js'
import { startTestServer, type TestServer } from '../testing/test-server.js'
import { type OpenApiDocument, openApiDocument } from './document.js'

interface Operation {
  readonly operationId: string
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: object; readonly schema: { $ref: string } }>> }
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, object>> }>>
}

const VERSION = { 'A2A-Version': '1.0' }
const acme = testCard().supportedInterfaces.map((entry) => ({ ...entry, tenant: 'acme' }))
const card = testCard({
  supportedInterfaces: [...testCard().supportedInterfaces, ...acme],
  capabilities: { streaming: true, pushNotifications: true },
})

const operations = ({ paths }: OpenApiDocument) =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, operation]) => ({ path, verb: verb.toUpperCase(), operation: operation as Operation })),
  )
const everything = operations(openApiDocument(card))
const address = (path: string) => `/a2a${path.replace('{tenant}', 'acme').replaceAll(/\{\w+\}/g, 'x')}`

async function read(server: TestServer): Promise<OpenApiDocument> {
  return (await (await server.fetch('/openapi.json')).json()) as OpenApiDocument
}

describe('the OpenAPI document', () => {
  const secured = {
    securitySchemes: {
      bearer: { httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: 'JWT', description: 'A token' } },
      key: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } },
      login: {
        oauth2SecurityScheme: {
          flows: {
            authorizationCode: {
              authorizationUrl: 'https://a.test/',
              tokenUrl: 'https://a.test/t',
              scopes: { read: 'r' },
              pkceRequired: true,
            },
          },
        },
      },
      machine: { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: 'https://a.test/t' }, deviceCode: {} } } },
      oidc: { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://a.test/.well-known/openid-configuration' } },
      mtls: { mtlsSecurityScheme: {} },
      'no name': { mtlsSecurityScheme: {} },
    },
    securityRequirements: [{ schemes: { bearer: {}, login: { list: ['read'] } } }, { schemes: { 'no name': {} } }],
  }

  test.each([
    ['of a plain card', {}],
    ['of a card with security', secured],
  ])('%s is valid OpenAPI 3.1', async (_, fields) => {
    const document = openApiDocument(testCard(fields))
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(document) as unknown as Record<string, unknown>)
    expect([valid, errors, validator.version]).toEqual([true, undefined, '3.1'])
    expect(() => validator.resolveRefs()).not.toThrow()
  })

  test('says of security what the card says', () => {
    const document = openApiDocument(testCard(secured))
    expect(document.security).toEqual([{ bearer: [], login: ['read'] }])
    expect(document.components).toMatchObject({
      securitySchemes: {
        bearer: { type: 'http', scheme: 'Bearer', bearerFormat: 'JWT', description: 'A token' },
        key: { type: 'apiKey', in: 'header', name: 'X-Key' },
        mtls: { type: 'mutualTLS' },
      },
    })
    expect(operations(document).every(({ operation }) => '401' in operation.responses)).toBe(true)
    const { securityRequirements: _, ...alone } = secured
    const undemanding = openApiDocument(testCard(alone))
    expect(undemanding.security).toEqual(['bearer', 'key', 'login', 'machine', 'oidc', 'mtls'].map((name) => ({ [name]: [] })))
    expect(operations(undemanding).every(({ operation }) => '401' in operation.responses && '403' in operation.responses)).toBe(true)
    expect(JSON.stringify(openApiDocument(testCard()))).not.toMatch(/securitySchemes|UNAUTHENTICATED/)
  })

  test('names the addresses of the binding, each once', () => {
    expect(openApiDocument(card).servers).toEqual([{ url: 'http://agent.test/a2a' }])
  })

  test('has every route, with and without a tenant, and no other', () => {
    const routed = ROUTES.flatMap(({ segments, verbs }) =>
      ['', '/{tenant}'].flatMap((prefix) => Object.keys(verbs).map((verb) => `${verb} ${prefix}/${segments.join('/')}`)),
    )
    expect(everything.map(({ verb, path }) => `${verb} ${path}`).toSorted()).toEqual(routed.toSorted())
    expect(new Set(everything.map(({ operation }) => operation.operationId.replace(/OfTenant|ByPOST/g, ''))).size).toBe(11)
  })

  test('has the route that authorises where callers are known, and nothing of it elsewhere', async () => {
    expect(JSON.stringify(openApiDocument(card))).not.toMatch(/authorize/i)
    const document = openApiDocument(card, routesOf(true))
    expect((await new Validator().validate(JSON.parse(JSON.stringify(document)))).valid).toBe(true)
    const [plain, ofTenant] = operations(document).filter(({ path }) => path.endsWith('/tasks/{id}:authorize'))
    expect([plain?.verb, plain?.operation.operationId, ofTenant?.path]).toEqual(['POST', 'authorizeTask', '/{tenant}/tasks/{id}:authorize'])
    expect(document.components).toHaveProperty('schemas.AuthorizeTaskRequest')
  })

  test('gives each operation a name of its own, and each part of its path a parameter', () => {
    expect(new Set(everything.map(({ operation }) => operation.operationId)).size).toBe(everything.length)
    for (const { path, operation } of everything) {
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
      expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
      expect(new Set(operation.parameters.map(({ name }) => name)).size).toBe(operation.parameters.length)
    }
  })

  test.each(everything)('$verb $path is routed', async ({ path, verb }) => {
    const server = await startTestServer({ card, pushKeys: PUSH_KEYS })
    const response = await server.fetch(address(path), { method: verb, headers: VERSION })
    const body = await response.text()
    expect(response.status).not.toBe(405)
    expect(body).not.toContain('No such route')
  })

  test('is what the routes have: every other verb is 405', async () => {
    const server = await startTestServer({ card, pushKeys: PUSH_KEYS })
    for (const path of new Set(everything.map((entry) => entry.path))) {
      const verbs = everything.filter((entry) => entry.path === path).map(({ verb }) => verb)
      for (const verb of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((candidate) => !verbs.includes(candidate))) {
        expect([verb, path, (await server.fetch(address(path), { method: verb, headers: VERSION })).status]).toEqual([verb, path, 405])
      }
    }
  })

  const bodies = everything.flatMap(({ operation, ...at }) =>
    Object.entries(operation.requestBody?.content ?? {}).map(([type, { example }]) => ({ ...at, type, example })),
  )

  test.each(bodies)('$verb $path takes its example as $type', async ({ path, verb, type, example }) => {
    const server = await startTestServer({ card, pushKeys: PUSH_KEYS })
    const tenant = path.startsWith('/{tenant}') ? '/acme' : ''
    const send = { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'x' }] }, configuration: { returnImmediately: true } }
    const headers = { ...VERSION, 'Content-Type': type }
    const made = await server.fetch(`/a2a${tenant}/message:send`, { method: 'POST', headers, body: JSON.stringify(send) })
    const { task } = (await made.json()) as { task: { id: string } }
    const target = `/a2a${path.replace('/{tenant}', tenant).replaceAll(/\{\w+\}/g, task.id)}`
    const response = await server.fetch(target, { method: verb, headers, body: JSON.stringify(example) })
    if (response.headers.get('Content-Type') === 'text/event-stream') return response.body?.cancel()
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)])
  })

  test('says that a tenant may be empty, as one that is not set', async () => {
    const server = await startTestServer({ card, pushKeys: PUSH_KEYS })
    const { schema } = (everything.find(({ operation }) => operation.operationId === 'listTasks')?.operation.parameters ?? []).find(
      ({ name }) => name === 'tenant',
    ) as unknown as { schema: object }
    expect(schema).toEqual({ type: 'string', minLength: 0, maxLength: 256 })
    expect((await server.fetch('/a2a/tasks?tenant=', { headers: VERSION })).status).toBe(200)
  })

  test('has parameters that the routes read', async () => {
    const server = await startTestServer({ card, pushKeys: PUSH_KEYS })
    const query = 'pageSize=1&status=TASK_STATE_WORKING&includeArtifacts=true&historyLength=0&statusTimestampAfter=2026-01-31T12:00:00Z'
    const { parameters } = everything.find(({ operation }) => operation.operationId === 'listTasks')?.operation ?? expect.fail()
    const documented = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
    expect(documented).toEqual(expect.arrayContaining([...new URLSearchParams(query).keys(), 'pageToken', 'contextId', 'tenant']))
    expect((await server.fetch(`/a2a/tasks?${query}`, { headers: VERSION })).status).toBe(200)
    for (const name of ['pageSize', 'status', 'includeArtifacts', 'historyLength', 'statusTimestampAfter', 'pageToken', 'tenant']) {
      expect([name, (await server.fetch(`/a2a/tasks?${name}=%00`, { headers: VERSION })).status]).toEqual([name, 400])
    }
  })
})

describe('/openapi.json', () => {
  test('is served without a version to GET and HEAD, and can be kept', async () => {
    const server = await startTestServer()
    const response = await server.fetch('/openapi.json')
    expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'application/json'])
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=300')
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument(testCard()))))
    const known = await server.fetch('/openapi.json', { headers: { 'If-None-Match': response.headers.get('ETag') ?? '' } })
    expect([known.status, await known.text()]).toEqual([304, ''])
    const head = await server.fetch('/openapi.json', { method: 'HEAD' })
    expect([head.status, await head.text(), head.headers.get('ETag')]).toEqual([200, '', response.headers.get('ETag')])
    const other = await server.fetch('/openapi.json', { method: 'POST' })
    expect([other.status, other.headers.get('Allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  test('is for any page: to be asked for, to be kept, and to be asked for again', async () => {
    const server = await startTestServer()
    const asked = await server.fetch('/openapi.json', { method: 'OPTIONS', headers: { Origin: 'https://page.example' } })
    expect([asked.status, asked.headers.get('Access-Control-Allow-Methods')]).toEqual([204, 'GET, HEAD, OPTIONS'])
    const first = await server.fetch('/openapi.json')
    const known = await server.fetch('/openapi.json', { headers: { 'If-None-Match': first.headers.get('ETag') ?? '' } })
    for (const { headers } of [asked, first, known]) {
      const crossOrigin = [headers.get('Access-Control-Allow-Origin'), headers.get('Access-Control-Expose-Headers')]
      expect(crossOrigin).toEqual(['*', 'ETag'])
    }
  })

  test('is not there where it is turned off, nor where the binding is not served', async () => {
    expect((await (await startTestServer({ openApi: false })).fetch('/openapi.json')).status).toBe(404)
    const supportedInterfaces = testCard().supportedInterfaces.filter(({ protocolBinding }) => protocolBinding === 'JSONRPC')
    expect((await (await startTestServer({ card: testCard({ supportedInterfaces }) })).fetch('/openapi.json')).status).toBe(404)
  })

  test('describes an agent that takes no text by what it takes', async () => {
    const server = await startTestServer({ card: testCard({ defaultInputModes: ['application/json'] }) })
    expect(JSON.stringify(await read(server))).toContain('"parts":[{"data":{}}]')
  })
})
