import type { AgentCardJson } from '@moorage/protocol'
import { testCard } from './test-agent.js'
import type { TestServer } from './test-server.js'

type Headers = Readonly<Record<string, string>>

/** One of the ways to subscribe to a task. */
export interface Way {
  readonly name: string
  readonly version: '1.0' | '0.3'
  /** What the tenant adds to a path: `''` for none. */
  readonly tenant: '' | '/acme'
  subscribe(server: TestServer, taskId: string, headers: Headers): Promise<Response>
}

const TYPE = { 'Content-Type': 'application/json' }
const VERSION = { 'A2A-Version': '1.0' }

function jsonRpc(method: string, own: Headers, fields: object): Way['subscribe'] {
  return (server, id, headers) =>
    server.fetch('/a2a', {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params: { id, ...fields } }),
      headers: { ...TYPE, ...own, ...headers },
    })
}

function httpJson(method: 'GET' | 'POST', folder: string, own: Headers): Way['subscribe'] {
  return (server, id, headers) => server.fetch(`/a2a${folder}/tasks/${id}:subscribe`, { method, headers: { ...own, ...headers } })
}

/** Every way to subscribe, for `describe.each`. */
export const WAYS: readonly Way[] = [
  { name: 'JSON-RPC', version: '1.0', tenant: '', subscribe: jsonRpc('SubscribeToTask', VERSION, {}) },
  { name: 'JSON-RPC of a tenant', version: '1.0', tenant: '/acme', subscribe: jsonRpc('SubscribeToTask', VERSION, { tenant: 'acme' }) },
  { name: 'GET', version: '1.0', tenant: '', subscribe: httpJson('GET', '', VERSION) },
  { name: 'POST', version: '1.0', tenant: '', subscribe: httpJson('POST', '', VERSION) },
  { name: 'GET of a tenant', version: '1.0', tenant: '/acme', subscribe: httpJson('GET', '/acme', VERSION) },
  { name: 'POST of a tenant', version: '1.0', tenant: '/acme', subscribe: httpJson('POST', '/acme', VERSION) },
  { name: 'tasks/resubscribe of 0.3', version: '0.3', tenant: '', subscribe: jsonRpc('tasks/resubscribe', {}, {}) },
  { name: 'GET of 0.3', version: '0.3', tenant: '', subscribe: httpJson('GET', '/v1', {}) },
  { name: 'POST of 0.3', version: '0.3', tenant: '', subscribe: httpJson('POST', '/v1', {}) },
]

/** The card of a server that serves all of them. */
export function subscribableCard(): AgentCardJson {
  const interfaces = testCard().supportedInterfaces
  const tenant = interfaces.map((entry) => ({ ...entry, tenant: 'acme' }))
  const legacy = interfaces.map((entry) => ({ ...entry, protocolVersion: '0.3' }))
  return testCard({ supportedInterfaces: [...interfaces, ...tenant, ...legacy] })
}
