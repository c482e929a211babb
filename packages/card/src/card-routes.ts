import type { AgentCardJson } from '@moorage/protocol'
import { pathOf } from './interface-path.js'

/** Where one binding of the card is to be mounted. */
export interface CardRoute {
  /** Path of the interface's public URL, without a slash at its end: `''` for the root. The paths of HTTP+JSON begin under it, in 0.3 with `/v1`. */
  readonly path: string
  readonly protocolBinding: 'JSONRPC' | 'HTTP+JSON'
  readonly protocolVersion: '1.0' | '0.3'
}

/** The paths that the card's interfaces promise, each binding and version of a path once, in the card's order. */
export function cardRoutes(card: AgentCardJson): readonly CardRoute[] {
  const routes = new Map<string, CardRoute>()
  for (const { url, protocolBinding, protocolVersion } of card.supportedInterfaces) {
    if (protocolBinding !== 'JSONRPC' && protocolBinding !== 'HTTP+JSON') continue
    if (protocolVersion !== '1.0' && protocolVersion !== '0.3') continue
    const path = pathOf(url)
    routes.set(`${protocolVersion} ${protocolBinding} ${path}`, { path, protocolBinding, protocolVersion })
  }
  return [...routes.values()]
}
