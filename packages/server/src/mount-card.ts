import type { SignedCard } from '@moorage/card'
import { AGENT_CARD_PATH, createCardHandler, createJwksHandler, JWKS_PATH } from '@moorage/card/routes'
import type { AgentCardJson } from '@moorage/protocol'
import type { Hono } from 'hono'
import { mountPublic } from './mount-public.js'

/**
 * Mounts the card, and its public keys where it is signed.
 * @returns the paths, for the methods that are not taken
 */
export function mountCard(app: Hono, card: AgentCardJson, signed: SignedCard | undefined): readonly string[] {
  const handlers = new Map([[AGENT_CARD_PATH, createCardHandler(signed ?? card)]])
  if (signed !== undefined) handlers.set(JWKS_PATH, createJwksHandler(signed))
  return mountPublic(app, handlers)
}
