import { cardRoutes } from '@moorage/card/routes'
import type { AgentCardJson } from '@moorage/protocol'
import type { Binding } from './service-parameters.js'

/** Where a binding is served, without a slash at its end (`''` is the root), and in which versions of the protocol. */
export interface Mount {
  readonly path: string
  readonly versions: readonly string[]
}

export interface MountPaths {
  readonly jsonRpc: readonly Mount[]
  readonly httpJson: readonly Mount[]
}

/**
 * The paths of the card's interfaces: a binding is served where the card declares it, in the versions that it declares there, and nowhere
 * else (A2A §5.2).
 * @param basePath the prefix of those paths that a host strips before it calls `fetch`; `''` for none
 * @throws TypeError where an interface cannot be served
 */
export function mountPaths(card: AgentCardJson, basePath: string): MountPaths {
  const routes = cardRoutes(card)
  if (routes.length === 0) {
    throw new TypeError('createHarness: card.supportedInterfaces must have an interface with protocolBinding JSONRPC or HTTP+JSON')
  }
  const mountsOf = (binding: Binding): readonly Mount[] => {
    const bound = routes.filter(({ protocolBinding }) => protocolBinding === binding)
    return [...new Set(bound.map(({ path }) => path))].map((path) => ({
      path: withoutBasePath(path, basePath),
      versions: bound.filter((route) => route.path === path).map(({ protocolVersion }) => protocolVersion),
    }))
  }
  return { jsonRpc: mountsOf('JSONRPC'), httpJson: mountsOf('HTTP+JSON') }
}

function withoutBasePath(path: string, basePath: string): string {
  if (path === basePath || path.startsWith(`${basePath}/`)) return path.slice(basePath.length)
  throw new TypeError(`createHarness: basePath must be the beginning of every interface's path; it is ${basePath}, and a path is ${path}`)
}
