import type { MiddlewareHandler } from 'hono'
import { every } from 'hono/combine'
import { type BodySizeOptions, bodySize } from './body-size.js'
import { type RateLimitOptions, rateLimit } from './rate-limit.js'

export type LimitsOptions = BodySizeOptions & RateLimitOptions

/**
 * Refuses first a peer that is too fast, then a body that is too large; put it before anything that reads the request.
 * @throws {TypeError} naming the option that is wrong
 */
export function limits(options: LimitsOptions): MiddlewareHandler {
  const both = every(rateLimit(options), bodySize(options))
  return async function limits(c, next) {
    return both(c, next)
  }
}
