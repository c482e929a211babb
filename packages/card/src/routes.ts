/**
 * Where a card says that its interfaces are, and the handlers that serve it, its keys and other public documents. Runs on Fetch.
 * @module
 */
export { type CachedJsonOptions, type CachingOptions, cachedJson } from './cached-json.js'
export { type CardForms, cardForms, type UnionAgentCardJson } from './card-forms.js'
export { AGENT_CARD_PATH, createCardHandler } from './card-handler.js'
export { type CardRoute, cardRoutes } from './card-routes.js'
export { createJwksHandler, JWKS_PATH } from './jwks-handler.js'
export type { LegacyAgentCardJson } from './legacy-card.js'
export { RESERVED_TENANTS } from './reserved-tenants.js'
export { type DeclaredSecurity, securityFaults } from './security-faults.js'
export type { SignedCard } from './sign-card.js'
