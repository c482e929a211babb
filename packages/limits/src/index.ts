/**
 * Hono middleware that refuses what is too large or too fast before anything is parsed.
 * @module
 */
export { type BodySizeOptions, bodySize } from './body-size.js'
export { type LimitsOptions, limits } from './limits.js'
export { type RateLimitOptions, rateLimit } from './rate-limit.js'
export type { Refusal, Refuse } from './refusal.js'
