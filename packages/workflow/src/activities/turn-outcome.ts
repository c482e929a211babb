import type { Agent, Content, Outcome } from '@moorage/agent'
import type { PartJson } from '@moorage/protocol'
import type { TurnOutcome } from '@moorage/store'
import { agentMessage, checkedParts, type Saying } from './agent-message.js'
import { MisuseError } from './misuse-error.js'

const KINDS: ReadonlySet<unknown> = new Set<Outcome['kind']>(['complete', 'fail', 'reject', 'ask', 'require-auth', 'park', 'reply'])

/** What ends a turn without a word; every other end is there to say something. */
const WORDLESS: ReadonlySet<Outcome['kind']> = new Set<Outcome['kind']>(['complete', 'park'])

/** @throws MisuseError when the content is missing where it has to be, or is none */
export function outcomeOf(kind: Outcome['kind'], content: Content | undefined): Outcome {
  if (content === undefined && WORDLESS.has(kind)) return { kind }
  return { kind, parts: checkedParts(content as Content, `turn.${kind}`) }
}

/** @throws MisuseError when the agent's turn returned something else than an outcome, or one that it made by hand and wrongly. */
export function checkedOutcome(value: unknown): Outcome {
  if (isOutcome(value)) return value.kind === 'require-auth' ? checkedAuth(value) : outcomeOf(value.kind, value.parts)
  throw new MisuseError(`turn must return turn.complete(…), turn.ask(…) or another of its outcomes; it returned ${describe(value)}`)
}

function isOutcome(value: unknown): value is Outcome {
  return typeof value === 'object' && value !== null && 'kind' in value && KINDS.has(value.kind)
}

/** A client that is to get an authorisation has to be told which one and for what (A2A §7.6.1). */
function checkedAuth({ kind, scheme, parts = [] }: Outcome): Outcome {
  if (typeof scheme !== 'string' || scheme.trim() === '') throw new MisuseError('turn.requireAuth: scheme must name what is asked for')
  if (parts.every(isBlank)) throw new MisuseError('turn.requireAuth: message must say what the authorisation is for')
  return { kind, scheme, parts: checkedParts(parts, 'turn.requireAuth') }
}

function isBlank(part: PartJson | undefined): boolean {
  if (part === undefined) return true
  return typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string' && part.text.trim() === ''
}

/** The outcome as it is recorded; a conversation does not complete, it parks, and so does a reply in it that is no Message. */
export function toTurnOutcome({ kind, parts, scheme }: Outcome, lifecycle: Agent['lifecycle'], key: string, saying: Saying): TurnOutcome {
  const isConversation = lifecycle === 'conversation'
  const message = parts && agentMessage(`${key}/outcome`, parts, saying)
  return {
    kind: kind === 'complete' && isConversation ? 'park' : kind,
    ...(kind === 'reply' && isConversation && { parks: true }),
    ...(scheme !== undefined && { scheme }),
    ...(message && { message: scheme === undefined ? message : { ...message, metadata: { authScheme: scheme } } }),
  }
}

/** Its kind only: what it holds may be a message's text, and this goes to the log. */
function describe(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  return typeof value === 'object' ? 'an object that is none' : `a ${typeof value}`
}
