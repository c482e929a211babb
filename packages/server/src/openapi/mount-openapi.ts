import { cachedJson } from '@moorage/card/routes'
import type { Hono } from 'hono'
import type { BindingContext } from '../binding.js'
import { routesOf } from '../http-json/match-route.js'
import { mountPublic } from '../mount-public.js'
import { openApiDocument } from './document.js'

/**
 * Mounts the OpenAPI document where there is a binding to document. It is public, as the card is: it says nothing that the card does not.
 * @returns the paths, for the methods that are not taken
 */
export function mountOpenApi(app: Hono, { card, authenticated }: Pick<BindingContext, 'card' | 'authenticated'>): readonly string[] {
  const document = openApiDocument(card, routesOf(authenticated))
  if (document.servers.length === 0) return []
  return mountPublic(app, new Map([['/openapi.json', cachedJson(document, { contentType: 'application/json' })]]))
}
