import { FLAG, FUNCTION, integer, oneOf, type Rule, type Rules, requireRules } from '../option-rules.js'
import type { OperationsOptions } from './operations.js'

const PUSH_KEYS: Rule = { must: 'be what createPushKeyRing of @moorage/push made', holds: isKeyRing }

const SECRETS: Rule = {
  must: 'be a list of texts of at least 6 characters each',
  holds: (value) => Array.isArray(value) && value.every((secret) => typeof secret === 'string' && secret.trim().length >= 6),
}

/** What `createHarness` passes on to `createOperations`. */
export const OPERATION_RULES: Rules<Omit<OperationsOptions, 'agent' | 'card' | 'store' | 'waker'>> = {
  blockingTimeoutMs: integer(0),
  maxWaiting: integer(1),
  idempotency: oneOf('on', 'off'),
  pushKeys: PUSH_KEYS,
  secrets: SECRETS,
  authenticated: FLAG,
  resolveParticipant: FUNCTION,
  mayActFor: FUNCTION,
  extendCard: FUNCTION,
}

/**
 * @param caller the function that was given the options
 * @throws TypeError that names the option which is wrong
 */
export function requireOperationOptions(caller: string, options: Omit<OperationsOptions, 'agent'>): void {
  requireRules(`${caller}: `, OPERATION_RULES, options)
  if (options.card.capabilities.pushNotifications && options.pushKeys === undefined) {
    throw new TypeError(`${caller}: pushKeys must be given: the card declares push notifications`)
  }
}

function isKeyRing(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return ['seal', 'open'].every((method) => typeof Reflect.get(value, method) === 'function')
}
