import { createKitClient } from './kit/kit-client.js'
import type { Binding, Surface } from './manifest/requirement.js'
import type { ScenarioContext } from './scenario.js'
import type { Server } from './servers/servers.js'
import { createWireClient } from './wire/wire-client.js'

/** On the host there is no binding of the scenario's own: its clients are those of JSON-RPC. */
export function contextOf(server: Server, surface: Surface): ScenarioContext {
  const binding: Binding = surface === 'HTTP+JSON' ? 'HTTP+JSON' : 'JSONRPC'
  const base = `${server.url}/a2a`
  return {
    url: server.url,
    binding,
    client: createWireClient(base, binding),
    other: createWireClient(base, binding === 'JSONRPC' ? 'HTTP+JSON' : 'JSONRPC'),
    kit: createKitClient(base, binding),
    open: server.open,
  }
}
