import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { requireFunction, requireInteger } from './option-check.js'
import type { Refuse } from './refusal.js'

export interface BodySizeOptions {
  /** @default 1048576 (1 MiB) */
  readonly maxRequestBytes?: number
  readonly refuse: Refuse
}

/**
 * Refuses a body of more than `maxRequestBytes`: by its Content-Length where it has one, else while it is read, chunk by chunk.
 * What comes after it sees a body only when all of it is within the limit.
 * @throws {TypeError} naming the option that is wrong
 */
export function bodySize({ maxRequestBytes = 1_048_576, refuse }: BodySizeOptions): MiddlewareHandler {
  requireInteger('maxRequestBytes', maxRequestBytes, 1)
  requireFunction('refuse', refuse)
  const refusal = { kind: 'too-large', limit: maxRequestBytes } as const
  const limitBody = bodyLimit({ maxSize: maxRequestBytes, onError: (c) => refuse(c, refusal) })

  return async function bodySize(c, next) {
    const declared = c.req.header('content-length')
    // hono's body limit takes a length that is no number for a small one.
    if (declared !== undefined && !/^\d+$/.test(declared)) return refuse(c, refusal)
    return limitBody(c, next)
  }
}
