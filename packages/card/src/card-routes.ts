import type { AgentCardJson } from '@moorage/protocol'
import { pathOf } from './interface-path.js'

/** Where one binding of the card is to be mounted. */
export interface CardRoute {
  /** Path of the interface's public URL, without a slash at its end: `''` for the root. */
  readonly path: string
  readonly protocolBinding: 'JSONRPC' | 'HTTP+JSON'
}

/** The paths that the card's interfaces promise, each binding of a path once, in the card's order. */
export function cardRoutes(card: AgentCardJson): readonly CardRoute[] {
  const routes = new Map<string, CardRoute>()
  for (const { url, protocolBinding } of card.supportedInterfaces) {
    if (protocolBinding !== 'JSONRPC' && protocolBinding !== 'HTTP+JSON') continue
    const path = pathOf(url)
    routes.set(`${protocolBinding} ${path}`, { path, protocolBinding })
  }
  return [...routes.values()]
}
