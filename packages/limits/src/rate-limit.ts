import type { Context, MiddlewareHandler } from 'hono'
import { requireFunction, requireInteger } from './option-check.js'
import { createPeerWindows } from './peer-window.js'
import type { Refuse } from './refusal.js'

export interface RateLimitOptions {
  /** Requests of one peer in a minute; 0 turns the limit off. @default 120 */
  readonly ratePerMinute?: number
  /** How many peers are counted at once; beyond it the oldest is forgotten. @default 10000 */
  readonly maxPeers?: number
  /** Names who is asking, such as the address of the connection. Whoever can choose this name freely escapes the limit. */
  readonly peer: (c: Context) => string
  readonly refuse: Refuse
}

/**
 * Refuses a peer that comes more often than `ratePerMinute`, with Retry-After in seconds. Counts in this process alone.
 * @throws {TypeError} naming the option that is wrong
 */
export function rateLimit({ ratePerMinute = 120, maxPeers = 10_000, peer, refuse }: RateLimitOptions): MiddlewareHandler {
  requireInteger('ratePerMinute', ratePerMinute, 0)
  requireInteger('maxPeers', maxPeers, 1)
  requireFunction('peer', peer)
  requireFunction('refuse', refuse)
  if (ratePerMinute === 0)
    return async function rateLimit(_, next) {
      await next()
    }
  const windows = createPeerWindows(ratePerMinute, maxPeers)

  return async function rateLimit(c, next) {
    const retryAfterSeconds = await windows.consume(peer(c))
    if (retryAfterSeconds === undefined) return next()
    const refused = await refuse(c, { kind: 'too-fast', limit: ratePerMinute, retryAfterSeconds })
    // The headers of a Response may be immutable, those of a copy are not.
    const response = new Response(refused.body, refused)
    response.headers.set('Retry-After', String(retryAfterSeconds))
    return response
  }
}
