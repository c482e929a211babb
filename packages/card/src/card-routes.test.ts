import { describe, expect, it } from 'vitest'
import { buildAgentCard } from './build-agent-card.js'
import { cardRoutes } from './card-routes.js'

function routesOf(...interfaces: readonly (readonly [string, string])[]) {
  const supportedInterfaces = interfaces.map(([url, protocolBinding]) => ({ url, protocolBinding, protocolVersion: '1.0' }))
  return cardRoutes(buildAgentCard({ supportedInterfaces }, { agentId: 'a', baseUrl: 'https://example.com' }))
}

describe('cardRoutes', () => {
  it('names each binding of a path once, whatever host and slash it was declared with', () => {
    expect(
      routesOf(
        ['https://example.com/support/a2a', 'HTTP+JSON'],
        ['https://example.com/rpc', 'JSONRPC'],
        ['http://other.example/support/a2a/', 'HTTP+JSON'],
      ),
    ).toStrictEqual([
      { path: '/support/a2a', protocolBinding: 'HTTP+JSON' },
      { path: '/rpc', protocolBinding: 'JSONRPC' },
    ])
  })

  it('gives the root no path', () => {
    expect(routesOf(['https://example.com/', 'JSONRPC'])).toStrictEqual([{ path: '', protocolBinding: 'JSONRPC' }])
  })
})
