import type { AgentCardJson } from '@moorage/protocol'
import type { Hono } from 'hono'
import { etag } from 'hono/etag'
import { openApiDocument } from './document.js'

const PATH = '/openapi.json'

/** Public and for any page to read, as the card is: it says nothing that the card does not. */
const HEADERS = { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=300', 'Access-Control-Allow-Origin': '*' }

/**
 * Serves the OpenAPI document to GET and HEAD, where there is a binding to document. Its body is made once, here.
 * @returns the paths that it serves
 */
export function mountOpenApi(app: Hono, card: AgentCardJson): readonly string[] {
  const document = openApiDocument(card)
  if (document.servers.length === 0) return []
  const body = JSON.stringify(document)
  app.get(PATH, etag(), () => new Response(body, { headers: HEADERS }))
  return [PATH]
}
