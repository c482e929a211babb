import { cardRoutes } from '@moorage/card/routes'
import type { AgentCardJson } from '@moorage/protocol'
import type { Binding } from './service-parameters.js'

/** Where the bindings are served, without trailing slashes; `''` is the root. */
export interface MountPaths {
  readonly jsonRpc: readonly string[]
  readonly httpJson: readonly string[]
}

/**
 * The paths of the card's interfaces of A2A 1.0: a binding is served where the card declares it, and nowhere else (A2A §5.2).
 * @param basePath the prefix of those paths that a host strips before it calls `fetch`; `''` for none
 * @throws TypeError where an interface cannot be served
 */
export function mountPaths(card: AgentCardJson, basePath: string): MountPaths {
  const routes = cardRoutes(card).filter(({ protocolVersion }) => protocolVersion === '1.0')
  if (routes.length === 0) {
    throw new TypeError(
      'createHarness: card.supportedInterfaces must have an interface of A2A 1.0 with protocolBinding JSONRPC or HTTP+JSON',
    )
  }
  const pathsOf = (binding: Binding) =>
    routes.filter(({ protocolBinding }) => protocolBinding === binding).map(({ path }) => withoutBasePath(path, basePath))
  return { jsonRpc: pathsOf('JSONRPC'), httpJson: pathsOf('HTTP+JSON') }
}

function withoutBasePath(path: string, basePath: string): string {
  if (path === basePath || path.startsWith(`${basePath}/`)) return path.slice(basePath.length)
  throw new TypeError(`createHarness: basePath must be the beginning of every interface's path; it is ${basePath}, and a path is ${path}`)
}
