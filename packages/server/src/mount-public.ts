import type { Hono } from 'hono'

/** What the path of a public document takes: any page may read it, so preflights are answered too. */
export const PUBLIC_METHODS = ['GET', 'HEAD', 'OPTIONS'] as const

/**
 * Mounts public documents, by path.
 * @returns the paths, for the methods that are not taken
 */
export function mountPublic(app: Hono, documents: ReadonlyMap<string, (request: Request) => Response>): readonly string[] {
  for (const [path, handler] of documents) app.on(['GET', 'OPTIONS'], path, (c) => handler(c.req.raw))
  return [...documents.keys()]
}
