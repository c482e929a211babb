/**
 * What an agent declares: an `agent-card.yaml` or an object to the AgentCard. Serving it is `@moorage/card/routes`.
 * @module
 */
export { baseUrlWarnings } from './base-url-warnings.js'
export { type BuildCardOptions, buildAgentCard, type CardInput } from './build-agent-card.js'
export { CardError, type CardFault } from './card-error.js'
export type { AllowedClaims } from './card-schema.js'
