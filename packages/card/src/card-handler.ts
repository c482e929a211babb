import { type AgentCardJson, requestedVersions } from '@moorage/protocol'
import { type CachingOptions, cachedJson, resolveCaching } from './cached-json.js'
import { cardForms } from './card-forms.js'
import type { SignedCard } from './sign-card.js'

/** Path of the card under the root of its host (A2A §8.2). */
export const AGENT_CARD_PATH = '/.well-known/agent-card.json'

const VERSION = 'A2A-Version'

/**
 * Answers GET and HEAD with the card, in the form of the version that is asked for where the card declares A2A 0.3 too, or with 304 to who has
 * it already (RFC 9110 §13); OPTIONS, which lets any page ask; other methods get 405. No version is refused.
 * @throws {TypeError} naming the option that is wrong
 */
export function createCardHandler(card: AgentCardJson | SignedCard, options: CachingOptions = {}): (request: Request) => Response {
  const { current, older } = 'forms' in card ? card.forms : cardForms(card)
  const caching = { ...resolveCaching('createCardHandler', options), contentType: 'application/json', vary: older && VERSION }
  const ofCurrent = cachedJson(current, caching)
  if (older === undefined) return ofCurrent
  const ofLegacy = cachedJson(older.legacy, caching)
  const ofUnion = cachedJson(older.union, caching)

  return function agentCard(request) {
    const version = versionOf(request)
    if (version === '1.0') return ofCurrent(request)
    return version === '0.3' ? ofLegacy(request) : ofUnion(request)
  }
}

/** The version that is asked for; undefined if it is none, or more than one. */
function versionOf({ headers, url }: Request): string | undefined {
  const [version, ...others] = requestedVersions(headers.get(VERSION) ?? undefined, new URL(url).searchParams.getAll(VERSION))
  return others.length === 0 ? version : undefined
}
