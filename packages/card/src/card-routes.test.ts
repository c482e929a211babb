import { describe, expect, it } from 'vitest'
import { buildAgentCard } from './build-agent-card.js'
import { cardRoutes } from './card-routes.js'

function routesOf(...interfaces: readonly (readonly [string, string, string?])[]) {
  const supportedInterfaces = interfaces.map(([url, protocolBinding, protocolVersion = '1.0']) => ({
    url,
    protocolBinding,
    protocolVersion,
  }))
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
      { path: '/support/a2a', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
      { path: '/rpc', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    ])
  })

  it('gives the root no path', () => {
    expect(routesOf(['https://example.com/', 'JSONRPC'])).toStrictEqual([{ path: '', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }])
  })

  it('names a path once for each version that is declared there', () => {
    const url = 'https://example.com/a2a'
    expect(routesOf([url, 'JSONRPC'], [url, 'JSONRPC', '0.3'], [`${url}/`, 'JSONRPC', '0.3'], [url, 'HTTP+JSON', '0.3'])).toStrictEqual([
      { path: '/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { path: '/a2a', protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
      { path: '/a2a', protocolBinding: 'HTTP+JSON', protocolVersion: '0.3' },
    ])
  })
})
