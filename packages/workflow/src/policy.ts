import { DEFAULT_EXECUTION_POLICY, type ExecutionPolicy } from './contract/index.js'

/** The longest time that a timer of Node can take, about 24 days. */
export const LONGEST_TIMER_MS = 2_147_483_647

/**
 * The policy with its defaults.
 * @throws TypeError that names the field which is wrong.
 */
export function resolvePolicy(policy: Partial<ExecutionPolicy> = {}): ExecutionPolicy {
  const resolved = { ...DEFAULT_EXECUTION_POLICY, ...policy }
  for (const [name, value] of Object.entries(resolved)) {
    if (Number.isInteger(value) && value >= 1 && value <= LONGEST_TIMER_MS) continue
    throw new TypeError(`policy.${name} must be a whole number of milliseconds from 1 to ${LONGEST_TIMER_MS}; it is ${value}`)
  }
  return resolved
}
