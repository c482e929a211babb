import type { Context } from 'hono'

/**
 * What is known of a request before its body is read: what authentication may look at, and nothing that it could change.
 */
export interface AuthenticationRequest {
  readonly method: string
  /** The path of the URL, without its query. */
  readonly path: string
  readonly headers: Pick<Headers, 'get' | 'has'>
  readonly query: Pick<URLSearchParams, 'get' | 'getAll' | 'has'>
  /** The address of the connection, never one that a header claims; undefined where the host tells none. */
  readonly address: string | undefined
}

/** @param address that of the connection */
export function authenticationRequest({ req }: Context, address: string | undefined): AuthenticationRequest {
  const { headers, url } = req.raw
  const { pathname, searchParams } = new URL(url)
  return Object.freeze({ method: req.method, path: pathname, headers: readOnly(headers), query: readOnlyQuery(searchParams), address })
}

/** What one function does to a view must change nothing for those after it. */
function readOnly(headers: Headers): AuthenticationRequest['headers'] {
  return Object.freeze({ get: (name: string) => headers.get(name), has: (name: string) => headers.has(name) })
}

function readOnlyQuery(query: URLSearchParams): AuthenticationRequest['query'] {
  return Object.freeze({
    get: (name: string) => query.get(name),
    getAll: (name: string) => query.getAll(name),
    has: (name: string, value?: string) => query.has(name, value),
  })
}
