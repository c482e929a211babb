/**
 * What an agent declares: an `agent-card.yaml` or an object to the AgentCard, and its signatures. Serving it is `@moorage/card/routes`.
 * @module
 */
export { baseUrlWarnings } from './base-url-warnings.js'
export { type BuildCardOptions, buildAgentCard, type CardInput } from './build-agent-card.js'
export { CardError, type CardFault } from './card-error.js'
export { CardKeyError, type CardKeyFault } from './card-key-error.js'
export { type CardAlgorithm, type CardKey, type PublicJwk, parseCardKeys } from './card-keys.js'
export type { AllowedClaims } from './card-schema.js'
export { declaredSchemes } from './declared-schemes.js'
export { extendAgentCard } from './extend-agent-card.js'
export { type SignCardOptions, type SignedCard, signCard } from './sign-card.js'
