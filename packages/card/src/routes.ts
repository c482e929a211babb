/**
 * Where a card says that its interfaces are, and the handler that serves it. Runs on Fetch.
 * @module
 */
export { AGENT_CARD_PATH, type CardHandlerOptions, createCardHandler } from './card-handler.js'
export { type CardRoute, cardRoutes } from './card-routes.js'
