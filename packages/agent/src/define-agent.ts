import type { z } from 'zod'
import type { Command } from './command.js'
import { checkedPolicies, type Policies } from './policy.js'
import type { Principal } from './principal.js'
import type { Outcome, Turn } from './turn.js'

/** What an agent declares of itself, in the AgentCard's own field names (A2A §4.4.1); everything unset gets a default. */
export interface AgentCardInput {
  readonly name?: string
  readonly description?: string
  readonly version?: string
  readonly [field: string]: unknown
}

/** What a turn's input can be: `'text'`, or a schema that exactly one data part must satisfy. */
export type InputSchema = 'text' | z.ZodType

/** The fields of the card that a caller who is known gets in the place of the public ones (A2A §3.1.11). */
export type ExtendCard = (principal: Principal) => AgentCardInput | Promise<AgentCardInput>

/** What `defineAgent` takes. Only `id` and `turn` are required. */
export interface AgentOptions<Input extends InputSchema = 'text'> {
  /** Owner of the agent's tasks and part of its Task Queue: 1 to 63 of `a-z`, `0-9` and `-`, beginning with a letter. */
  readonly id: string
  /** Path of an `agent-card.yaml`, relative to the agent's module, or the card's fields. */
  readonly card?: string | AgentCardInput
  /**
   * Makes the extended card of a caller, where the card has `capabilities.extendedAgentCard: true`: what it returns replaces fields of the public card.
   * Addresses, capabilities and security stay.
   */
  readonly extendCard?: ExtendCard
  /** @default 'text' */
  readonly input?: Input
  /** `'conversation'`: a turn that completes parks the task as input-required instead. @default 'task' */
  readonly lifecycle?: 'task' | 'conversation'
  /** `'message-when-direct'`: a blocking send gets a Message where its first turn returns `turn.reply(…)`. @default 'task' */
  readonly reply?: 'task' | 'message-when-direct'
  /** Commands by name: a message that is exactly `/name arguments` runs one, at once and instead of a turn. */
  readonly commands?: Readonly<Record<string, Command>>
  /** What the agent itself refuses, or notes, of the messages that would be accepted. */
  readonly policies?: Policies
  /** Runs at least once for the messages that wait; what it must not do twice goes into `turn.step`. */
  readonly turn: (turn: Turn<Input extends z.ZodType ? z.infer<Input> : undefined>) => Promise<Outcome> | Outcome
}

/** An agent as the server and the worker take it. */
export interface Agent {
  readonly id: string
  readonly card: string | AgentCardInput
  readonly extendCard?: ExtendCard
  readonly input: InputSchema
  readonly lifecycle: 'task' | 'conversation'
  readonly reply: 'task' | 'message-when-direct'
  readonly commands: Readonly<Record<string, Command>>
  readonly policies: Policies
  readonly turn: (turn: Turn<unknown>) => Promise<Outcome> | Outcome
}

const AGENT_ID = /^[a-z][a-z0-9-]{0,62}$/
const COMMAND_NAME = /^[a-z][a-z0-9-]{0,31}$/
const OPTIONS = [
  'id',
  'card',
  'extendCard',
  'input',
  'lifecycle',
  'reply',
  'commands',
  'policies',
  'turn',
] satisfies readonly (keyof AgentOptions)[]

/**
 * Checks the definition and fills in its defaults.
 * @throws TypeError that names the field that is wrong.
 */
export function defineAgent<Input extends InputSchema = 'text'>(options: AgentOptions<Input>): Agent {
  const unknown = Object.keys(options ?? {}).find((name) => !OPTIONS.some((known) => known === name))
  if (unknown !== undefined) throw new TypeError(`defineAgent: ${unknown} is no option; there are ${OPTIONS.join(', ')}`)
  if (typeof options?.id !== 'string' || !AGENT_ID.test(options.id)) {
    throw new TypeError(
      `defineAgent: id must be 1 to 63 of a-z, 0-9 and "-", beginning with a letter; it is ${JSON.stringify(options?.id)}`,
    )
  }
  if (typeof options.turn !== 'function') {
    throw new TypeError('defineAgent: turn must be a function that takes a Turn')
  }
  const { extendCard } = options
  if (extendCard !== undefined && typeof extendCard !== 'function') {
    throw new TypeError('defineAgent: extendCard must be a function that takes a Principal and returns fields of a card')
  }
  const lifecycle = options.lifecycle ?? 'task'
  if (lifecycle !== 'task' && lifecycle !== 'conversation') {
    throw new TypeError(`defineAgent: lifecycle must be "task" or "conversation"; it is ${JSON.stringify(lifecycle)}`)
  }
  const reply = options.reply ?? 'task'
  if (reply !== 'task' && reply !== 'message-when-direct') {
    throw new TypeError(`defineAgent: reply must be "task" or "message-when-direct"; it is ${JSON.stringify(reply)}`)
  }
  return Object.freeze({
    id: options.id,
    card: checkedCard(options.card),
    ...(extendCard !== undefined && { extendCard }),
    input: checkedInput(options.input),
    lifecycle,
    reply,
    commands: checkedCommands(options.commands),
    policies: checkedPolicies(options.policies),
    turn: options.turn as Agent['turn'],
  })
}

/** Whether a module's export is an agent: the check for modules that a path names. */
export function isAgent(value: unknown): value is Agent {
  if (typeof value !== 'object' || value === null) return false
  const agent = value as Partial<Agent>
  return typeof agent.id === 'string' && typeof agent.turn === 'function' && typeof agent.commands === 'object'
}

function checkedCard(card: AgentOptions['card']): string | AgentCardInput {
  if (card === undefined) return {}
  if (typeof card === 'string' || (typeof card === 'object' && card !== null)) return card
  throw new TypeError('defineAgent: card must be the path of an agent-card.yaml or an object with the fields of an AgentCard')
}

function checkedInput(input: InputSchema | undefined): InputSchema {
  if (input === undefined || input === 'text') return 'text'
  if (typeof input === 'object' && typeof input.safeParse === 'function') return input
  throw new TypeError('defineAgent: input must be "text" or a zod schema')
}

function checkedCommands(commands: AgentOptions['commands'] = {}): Readonly<Record<string, Command>> {
  for (const [name, value] of Object.entries(commands)) {
    if (!COMMAND_NAME.test(name)) {
      throw new TypeError(`defineAgent: commands.${name}: a command's name is 1 to 32 of a-z, 0-9 and "-", beginning with a letter`)
    }
    if (typeof value?.run !== 'function') throw new TypeError(`defineAgent: commands.${name} must be made by command(description, run)`)
  }
  return Object.freeze({ ...commands })
}
