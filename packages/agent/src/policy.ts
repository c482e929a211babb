import type { JsonObject, MessageJson, TaskState } from '@moorage/protocol'
import type { Principal } from './principal.js'

/** What a policy decides about a message; made by `allow` and `refuse`. */
export type PolicyDecision =
  | { readonly kind: 'allow'; readonly annotations: JsonObject }
  | { readonly kind: 'refuse'; readonly reason: string }

/** A task that a message goes to, as far as a policy needs it. */
export interface PolicyTask {
  readonly id: string
  readonly contextId: string
  readonly state: TaskState
  /** Those of the sender in this task. */
  readonly roles: readonly ('assignee' | 'reporter' | 'watcher' | 'admin')[]
}

/** A message that would be accepted. What an event holds is a frozen copy. */
export interface RequestReceived {
  readonly principal: Principal
  /** With its secrets taken out, as it is recorded. */
  readonly message: MessageJson
  /** Undefined for the first message of a task. */
  readonly task?: PolicyTask
  /** Aborted when nobody waits for the decision any more. */
  readonly signal: AbortSignal
}

/** A message that calls one of the agent's commands. */
export interface CommandInvoked extends RequestReceived {
  readonly command: string
  /** What follows the command's name, trimmed. */
  readonly args: string
}

/** A first message, which makes a task. */
export interface TaskCreated {
  readonly principal: Principal
  /** With its secrets taken out, as it is recorded. */
  readonly message: MessageJson
  /** The context that the task will belong to. */
  readonly contextId: string
  /** Aborted when nobody waits for the decision any more. */
  readonly signal: AbortSignal
}

/** Decides about an event; undefined allows. What throws, or takes longer than 5 seconds, refuses the message as an error of the agent. */
export type Policy<Event> = (event: Event) => PolicyDecision | undefined | Promise<PolicyDecision | undefined>

/**
 * The agent's own say in what it accepts, once everything else allows it and before anything is recorded: `command.invoked` for commands and
 * `request.received` for all other messages, then `task.created` for the first message of a task. The same message sent again is not asked about.
 */
export interface Policies {
  readonly 'request.received'?: Policy<RequestReceived>
  readonly 'command.invoked'?: Policy<CommandInvoked>
  readonly 'task.created'?: Policy<TaskCreated>
}

const POINTS = ['request.received', 'command.invoked', 'task.created'] satisfies readonly (keyof Policies)[]
const LONGEST_REASON = 1000

/**
 * Allows the message. The annotations are kept with it, for its turn or command, and never shown to a client; of several policies they are merged.
 * @throws TypeError for annotations that are no object.
 */
export function allow(annotations: JsonObject = {}): PolicyDecision {
  if (typeof annotations !== 'object' || annotations === null || Array.isArray(annotations)) {
    throw new TypeError('allow: annotations must be an object with JSON values')
  }
  return Object.freeze({ kind: 'allow', annotations })
}

/**
 * Refuses the message with PermissionDenied.
 * @param reason what its sender is told, and the audit says: 1 to 1,000 characters
 * @throws TypeError for another one.
 */
export function refuse(reason: string): PolicyDecision {
  if (typeof reason !== 'string' || reason.trim() === '' || reason.length > LONGEST_REASON) {
    throw new TypeError(`refuse: the reason must tell the sender why, in 1 to ${LONGEST_REASON} characters`)
  }
  return Object.freeze({ kind: 'refuse', reason })
}

/** @throws TypeError that names the policy which is none. */
export function checkedPolicies(policies: Policies = {}): Policies {
  if (typeof policies !== 'object' || policies === null || Array.isArray(policies)) {
    throw new TypeError(`defineAgent: policies must be an object; its fields are ${POINTS.join(', ')}`)
  }
  for (const [name, policy] of Object.entries({ ...policies })) {
    if (!POINTS.some((point) => point === name)) {
      throw new TypeError(`defineAgent: policies.${name} is no policy point; there are ${POINTS.join(', ')}`)
    }
    if (policy !== undefined && typeof policy !== 'function') {
      throw new TypeError(`defineAgent: policies.${name} must be a function that returns allow(…), refuse(…) or undefined`)
    }
  }
  return Object.freeze({ ...policies })
}
