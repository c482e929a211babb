import type { Agent } from '@moorage/agent'
import { securityFaults } from '@moorage/card/routes'
import type { AgentCardJson } from '@moorage/protocol'
import { type Authenticator, isAuthenticator, type SecuritySchemes } from './authentication/authenticator.js'
import type { HarnessLimits, HarnessOptions } from './harness-options.js'
import { A2A_JSON, PLAIN_JSON } from './http-json/negotiate.js'
import { OPERATION_RULES, requireOperationOptions } from './operations/require-operation-options.js'
import {
  checkOptions,
  FLAG,
  FUNCTION,
  GIVEN,
  integer,
  OBJECT,
  oneOf,
  type Rule,
  type Rules,
  refuseUnknown,
  requireRules,
  TEXT,
} from './option-rules.js'

const AUTHENTICATORS: Rule = {
  must: 'be a list of at least one authenticator, each made by defineAuthenticator, jwtBearer, apiKeys or trustedPerimeter',
  holds: (value) => Array.isArray(value) && value.length > 0 && value.every(isAuthenticator),
}

/** Whether callers are authenticated is seen from how. */
const { authenticated: _, ...PASSED_ON } = OPERATION_RULES

const RULES: Rules<HarnessOptions> = {
  card: GIVEN,
  signedCard: OBJECT,
  store: GIVEN,
  waker: GIVEN,
  worker: OBJECT,
  logger: GIVEN,
  limits: OBJECT,
  ...PASSED_ON,
  authenticate: AUTHENTICATORS,
  keepAliveMs: integer(1),
  drainDelayMs: integer(0),
  basePath: TEXT,
  mediaType: oneOf(A2A_JSON, PLAIN_JSON),
  unknownExtensions: oneOf('refuse', 'ignore'),
  openApi: FLAG,
  degraded: FUNCTION,
  monitor: FLAG,
}

const LIMITS: Rules<HarnessLimits> = {
  maxRequestBytes: integer(1, Number.MAX_SAFE_INTEGER),
  ratePerMinute: integer(0, Number.MAX_SAFE_INTEGER),
  streamsPerPeer: integer(1, Number.MAX_SAFE_INTEGER),
  streams: integer(1, Number.MAX_SAFE_INTEGER),
  peer: FUNCTION,
}

/** @throws TypeError that names the option which is missing, unknown or wrong, or the field of the card that does not go with the agent */
export function requireOptions(agent: Agent, options: HarnessOptions): void {
  checkOptions('createHarness', RULES, ['card', 'store', 'waker', 'logger'], options)
  const { limits = {}, signedCard, card } = options
  refuseUnknown('createHarness', 'limits.', LIMITS, limits)
  requireRules('createHarness: limits.', LIMITS, limits)
  requireOperationOptions('createHarness', options)
  if (signedCard !== undefined && signedCard.card !== card) {
    throw new TypeError('createHarness: signedCard must be what signCard made of the option card')
  }
  requireEnforced(card, options.authenticate)
  if (card.capabilities.extendedAgentCard === true && options.authenticate === undefined) {
    throw new TypeError(
      'createHarness: card.capabilities.extendedAgentCard must not be true without authenticate: such a card is for known callers',
    )
  }
  if (agent.input === 'text' || card.defaultInputModes.includes('application/json')) return
  throw new TypeError(
    "createHarness: card.defaultInputModes must list application/json: the agent's input is a schema, and what fits it comes as a data part",
  )
}

/** The card says what is enforced, and nothing else. */
function requireEnforced(card: AgentCardJson, authenticators: readonly Authenticator[] = []): void {
  const schemes = Object.assign({}, ...authenticators.map((authenticator) => authenticator.schemes)) as SecuritySchemes
  const { securitySchemes = {} } = card
  // Two of one name have to mean the same, or one of them is hidden.
  const ofEach = authenticators.flatMap((authenticator) => {
    const declared = Object.entries(securitySchemes).filter(([name]) => Object.hasOwn(authenticator.schemes, name))
    return securityFaults({ securitySchemes: Object.fromEntries(declared) }, authenticator.schemes)
  })
  const [fault] = [...ofEach, ...securityFaults(card, schemes)]
  if (fault !== undefined) throw new TypeError(`createHarness: card.${fault.field}: ${fault.message}`)
  if (authenticators.length === 0 || Object.keys(schemes).length > 0) return
  throw new TypeError('createHarness: authenticate must have an authenticator with schemes: without one, nobody could call')
}
