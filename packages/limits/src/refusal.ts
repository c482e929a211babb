import type { Context } from 'hono'

/** Why a request is refused, before anything of it has been parsed; `limit` is in bytes. */
export type Refusal =
  | { readonly kind: 'too-large'; readonly limit: number }
  | { readonly kind: 'too-fast'; readonly retryAfterSeconds: number }

/** Gives a refusal its form: status, headers and body are the caller's. */
export type Refuse = (c: Context, refusal: Refusal) => Response | Promise<Response>
