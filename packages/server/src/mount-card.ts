import type { SignedCard } from '@moorage/card'
import { AGENT_CARD_PATH, createCardHandler, createJwksHandler, JWKS_PATH } from '@moorage/card/routes'
import type { AgentCardJson } from '@moorage/protocol'
import type { Hono } from 'hono'

/** What a path of `mountCard` takes: any page may read it, so preflights are answered too. */
export const CARD_METHODS = ['GET', 'HEAD', 'OPTIONS'] as const

/**
 * Mounts the card, and its public keys where it is signed.
 * @returns the paths, for the methods that are not taken
 */
export function mountCard(app: Hono, card: AgentCardJson, signed: SignedCard | undefined): readonly string[] {
  const handlers = new Map([[AGENT_CARD_PATH, createCardHandler(signed ?? card)]])
  if (signed !== undefined) handlers.set(JWKS_PATH, createJwksHandler(signed))
  for (const [path, handler] of handlers) app.on(['GET', 'OPTIONS'], path, (c) => handler(c.req.raw))
  return [...handlers.keys()]
}
