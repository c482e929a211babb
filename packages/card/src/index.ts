/**
 * What an agent declares: an `agent-card.yaml` or an object to the AgentCard, its routes, and the handler that serves it.
 * @module
 */
export { type BuildCardOptions, buildAgentCard, type CardInput } from './build-agent-card.js'
export { CardError, type CardFault } from './card-error.js'
export { AGENT_CARD_PATH, type CardHandlerOptions, createCardHandler } from './card-handler.js'
export { type CardRoute, cardRoutes } from './card-routes.js'
