import { type CachingOptions, cachedJson, resolveCaching } from './cached-json.js'
import type { SignedCard } from './sign-card.js'

/** Path of the public keys under the root of the card's host. */
export const JWKS_PATH = '/.well-known/jwks.json'

/**
 * Answers with the public keys that the card's signatures are verified with (RFC 7517), as `createCardHandler` does with the card.
 * @throws {TypeError} naming the option that is wrong
 */
export function createJwksHandler({ jwks }: SignedCard, options: CachingOptions = {}): (request: Request) => Response {
  return cachedJson(jwks, { ...resolveCaching('createJwksHandler', options), contentType: 'application/jwk-set+json' })
}
