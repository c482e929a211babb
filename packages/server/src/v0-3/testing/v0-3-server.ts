import type { AgentCardJson } from '@moorage/protocol'
import type { Fields } from '../../testing/bindings.js'
import { testCard } from '../../testing/test-agent.js'
import { startTestServer, type TestServer, type TestServerOptions } from '../../testing/test-server.js'

/** The test card with interfaces of both versions at the same URL. */
export function bothVersions(fields: Partial<AgentCardJson> = {}): AgentCardJson {
  const card = testCard({ defaultInputModes: ['text/plain', 'application/json', 'application/octet-stream', 'image/png'], ...fields })
  const legacy = card.supportedInterfaces.map((entry) => ({ ...entry, protocolVersion: '0.3' }))
  return { ...card, supportedInterfaces: [...card.supportedInterfaces, ...legacy] }
}

/** A server that speaks both versions. */
export function startBoth({ card = bothVersions(), ...options }: TestServerOptions = {}): Promise<TestServer> {
  return startTestServer({ card, ...options })
}

/** A 0.3 request in JSON-RPC, without a version, as its clients send it. */
export function rpc(server: TestServer, method: string, params: unknown, headers: Readonly<Record<string, string>> = {}) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params })
  return server.fetch('/a2a', { method: 'POST', body, headers: { 'Content-Type': 'application/json', ...headers } })
}

/** A 0.3 request in HTTP+JSON, without a version. */
export function http(server: TestServer, verb: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) {
  const content = body === undefined ? {} : { body: JSON.stringify(body) }
  return server.fetch(`/a2a/v1/${path}`, { method: verb, ...content, headers: { 'Content-Type': 'application/json', ...headers } })
}

/** The whole body of an answer. */
export async function json(response: Response): Promise<Fields> {
  return (await response.json()) as Fields
}
