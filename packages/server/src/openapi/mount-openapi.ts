import { cachedJson } from '@moorage/card/routes'
import type { AgentCardJson } from '@moorage/protocol'
import type { Hono } from 'hono'
import { mountPublic } from '../mount-public.js'
import { openApiDocument } from './document.js'

/**
 * Mounts the OpenAPI document where there is a binding to document. It is public, as the card is: it says nothing that the card does not.
 * @returns the paths, for the methods that are not taken
 */
export function mountOpenApi(app: Hono, card: AgentCardJson): readonly string[] {
  const document = openApiDocument(card)
  if (document.servers.length === 0) return []
  return mountPublic(app, new Map([['/openapi.json', cachedJson(document, { contentType: 'application/json' })]]))
}
