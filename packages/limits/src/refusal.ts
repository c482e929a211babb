import type { Context } from 'hono'

/** Why a request is refused, before anything of it has been parsed; `limit` is in bytes, or in requests a minute. */
export type Refusal =
  | { readonly kind: 'too-large'; readonly limit: number }
  | { readonly kind: 'too-fast'; readonly limit: number; readonly retryAfterSeconds: number }

/** Gives a refusal its form: status, headers and body are the caller's. */
export type Refuse = (c: Context, refusal: Refusal) => Response | Promise<Response>
