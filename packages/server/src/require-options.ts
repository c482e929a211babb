import type { Agent } from '@moorage/agent'
import type { HarnessOptions } from './harness-options.js'

const REQUIRED = ['card', 'store', 'waker', 'logger'] as const

/** @throws TypeError that names the option which is missing, or the field of the card that does not go with the agent */
export function requireOptions(agent: Agent, options: HarnessOptions): void {
  for (const name of REQUIRED) {
    if (typeof options?.[name] !== 'object' || options[name] === null) throw new TypeError(`createHarness: ${name} must be given`)
  }
  if (options.signedCard !== undefined && options.signedCard.card !== options.card) {
    throw new TypeError('createHarness: signedCard must be what signCard made of the option card')
  }
  const { unknownExtensions = 'refuse' } = options
  if (!['refuse', 'ignore'].includes(unknownExtensions))
    throw new TypeError("createHarness: unknownExtensions must be 'refuse' or 'ignore'")
  if (agent.input === 'text' || options.card.defaultInputModes.includes('application/json')) return
  throw new TypeError(
    "createHarness: card.defaultInputModes must list application/json: the agent's input is a schema, and what fits it comes as a data part",
  )
}
