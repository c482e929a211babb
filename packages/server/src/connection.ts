import type { Context } from 'hono'

/** What `@hono/node-server` tells of the connection. */
interface NodeEnv {
  readonly incoming?: { readonly destroyed?: boolean; readonly complete?: boolean; readonly socket?: { readonly remoteAddress?: string } }
  readonly outgoing?: { readonly destroy?: () => unknown; readonly setTimeout?: (ms: number, onTimeout: () => void) => unknown }
}

/** The address of the connection; undefined where the host tells nothing. */
export function connectionAddress(c: Context): string | undefined {
  return envOf(c)?.incoming?.socket?.remoteAddress
}

/** The same as a peer's name. Where the host tells nothing, all requests are one peer's. */
export function connectionPeer(c: Context): string {
  return connectionAddress(c) ?? 'unknown'
}

export function clientHasGone(c: Context): boolean {
  const incoming = envOf(c)?.incoming
  return c.req.raw.signal.aborted || (incoming?.destroyed === true && incoming.complete === false)
}

/**
 * Ends the connection, with whatever is still to be sent over it, once nothing of that has been taken for so long: a large event may be on its way
 * over a slow line. False where the host gives no hold of it.
 */
export function destroyStalled(c: Context, afterMs: number): boolean {
  const outgoing = envOf(c)?.outgoing
  outgoing?.setTimeout?.(afterMs, () => outgoing.destroy?.())
  return outgoing?.setTimeout !== undefined
}

function envOf(c: Context): NodeEnv | undefined {
  return c.env as NodeEnv | undefined
}
