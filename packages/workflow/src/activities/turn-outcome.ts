import type { Agent, Outcome } from '@moorage/agent'
import type { TurnOutcome } from '@moorage/store'
import { agentMessage, checkedParts, type Saying } from './agent-message.js'
import { MisuseError } from './misuse-error.js'

const KINDS: ReadonlySet<unknown> = new Set<Outcome['kind']>(['complete', 'fail', 'reject', 'ask', 'park'])

/** @throws MisuseError when the agent's turn returned something else than an outcome, or one that it made by hand and wrongly. */
export function checkedOutcome(value: unknown): Outcome {
  if (isOutcome(value)) return { kind: value.kind, ...(value.parts && { parts: checkedParts(value.parts, `turn.${value.kind}`) }) }
  throw new MisuseError(`turn must return turn.complete(…), turn.ask(…) or another of its outcomes; it returned ${describe(value)}`)
}

function isOutcome(value: unknown): value is Outcome {
  return typeof value === 'object' && value !== null && 'kind' in value && KINDS.has(value.kind)
}

/** The outcome as it is recorded; a conversation does not complete, it parks. */
export function toTurnOutcome({ kind, parts }: Outcome, lifecycle: Agent['lifecycle'], key: string, saying: Saying): TurnOutcome {
  const recorded = kind === 'complete' && lifecycle === 'conversation' ? 'park' : kind
  return { kind: recorded, ...(parts && { message: agentMessage(`${key}/outcome`, parts, saying) }) }
}

/** Its kind only: what it holds may be a message's text, and this goes to the log. */
function describe(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  return typeof value === 'object' ? 'an object that is none' : `a ${typeof value}`
}
