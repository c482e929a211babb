import type { JsonObject, MessageJson, TaskState } from '@moorage/protocol'
import type { ParticipantRole, Principal, TaskRecord } from '@moorage/store'
import { frozenCopy } from './frozen-copy.js'
import { PolicyError } from './policy-error.js'
import type { RecognisedCommand } from './recognise-command.js'
import type { Redactor } from './redact/redactor.js'

/** What a policy is told: a frozen copy, so that nothing of it changes what is recorded. */
interface MessageEvent {
  readonly principal: Principal
  readonly message: MessageJson
  /** Aborted when nobody waits for the decision any more. */
  readonly signal: AbortSignal
}

interface TaskEvent extends MessageEvent {
  /** Undefined for a first message. */
  readonly task?: {
    readonly id: string
    readonly contextId: string
    readonly state: TaskState
    readonly roles: readonly ParticipantRole[]
  }
}

/** The policies of an agent, as `defineAgent` of `@moorage/agent` has checked them; what they return is checked here. */
export interface Policies {
  readonly 'request.received'?: (event: TaskEvent) => unknown
  readonly 'command.invoked'?: (event: TaskEvent & { readonly command: string; readonly args: string }) => unknown
  readonly 'task.created'?: (event: MessageEvent & { readonly contextId: string }) => unknown
}

/** How an agent's policies are asked. */
export interface PolicyOptions {
  readonly policies: Policies
  /** Aborted when the sender has gone, or the server stops. */
  readonly signal?: AbortSignal
  /** How long one of them may take, in milliseconds. @default 5000 */
  readonly timeoutMs?: number
  /** Takes the secrets out of what they say. */
  readonly redactor?: Pick<Redactor, 'text' | 'json'>
}

/** A message that everything else allows. `task`: the one that it goes to; undefined where it makes one, in `contextId`. */
export interface PolicyCase {
  readonly principal: Principal
  readonly message: MessageJson
  readonly command: RecognisedCommand | undefined
  readonly task: TaskRecord | undefined
  readonly contextId: string
}

/** What came of the policies: the notes of all of them, merged, or the first refusal. `aborted`: there is nobody to tell. */
export type PolicyOutcome =
  | { readonly result: 'allowed'; readonly annotations: JsonObject }
  | { readonly result: 'refused'; readonly reason: string }
  | { readonly result: 'aborted' }

const TIMEOUT_MS = 5000
const NEVER = new AbortController().signal
const ABORTED = Symbol('aborted')

/** Whether the agent has a policy that such a message could meet. */
export function hasPolicyFor(policies: Policies, message: MessageJson, command: RecognisedCommand | undefined): boolean {
  const point = command ? 'command.invoked' : 'request.received'
  return policies[point] !== undefined || (message.taskId === undefined && policies['task.created'] !== undefined)
}

/** Asks the policies, one after the other. @throws PolicyError for one that throws, takes too long or returns what is no decision */
export async function askPolicies(options: PolicyOptions, { contextId, ...about }: PolicyCase): Promise<PolicyOutcome> {
  const { policies, redactor } = options
  const { command, task, principal } = about
  const event = { principal: frozenCopy(principal), message: frozenCopy(about.message) }
  const taskEvent = { ...event, ...(task && { task: toEvent(task, principal) }) }
  const commandEvent = command && { ...taskEvent, command: command.name, args: command.args }
  const asked = [
    commandEvent
      ? point('command.invoked', policies['command.invoked'], commandEvent)
      : point('request.received', policies['request.received'], taskEvent),
    ...(task ? [] : [point('task.created', policies['task.created'], { ...event, contextId })]),
  ]
  let annotations: JsonObject = {}
  for (const { name, run } of asked) {
    const returned = await decided(name, run, options)
    if (returned === ABORTED) return { result: 'aborted' }
    const decision = toDecision(name, returned)
    if (decision.kind === 'refuse') return { result: 'refused', reason: redactor?.text(decision.reason) ?? decision.reason }
    annotations = { ...annotations, ...(redactor?.json(decision.annotations) ?? decision.annotations) }
  }
  return { result: 'allowed', annotations }
}

type Run = (signal: AbortSignal) => unknown

function point<Event extends object>(
  name: keyof Policies,
  policy: ((event: Event & { readonly signal: AbortSignal }) => unknown) | undefined,
  event: Event,
) {
  const run: Run = (signal) => policy?.(Object.freeze({ ...event, signal }))
  return { name, run }
}

function toEvent({ id, contextId, state, participants }: TaskRecord, { participant }: Principal) {
  const roles = participants.filter((entry) => entry.participant === participant).map(({ role }) => role)
  return Object.freeze({ id, contextId, state, roles: Object.freeze(roles) })
}

/** What the policy returns, in its time; `ABORTED` where the sender has gone before. */
async function decided(name: keyof Policies, run: Run, { signal = NEVER, timeoutMs = TIMEOUT_MS }: PolicyOptions): Promise<unknown> {
  if (signal.aborted) return ABORTED
  const over = new AbortController()
  let release = () => {}
  const end = new Promise((resolve, reject) => {
    const gone = () => resolve(ABORTED)
    const timer = setTimeout(() => reject(new Error(`It has not decided within ${timeoutMs} ms`)), timeoutMs)
    signal.addEventListener('abort', gone, { once: true })
    release = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', gone)
    }
  })
  try {
    return await Promise.race([end, (async () => run(over.signal))()])
  } catch (error) {
    throw new PolicyError(name, error)
  } finally {
    release()
    over.abort()
  }
}

type Decision = { readonly kind: 'allow'; readonly annotations: JsonObject } | { readonly kind: 'refuse'; readonly reason: string }

function toDecision(name: keyof Policies, returned: unknown): Decision {
  if (returned === undefined) return { kind: 'allow', annotations: {} }
  const { kind, annotations, reason } = Object(returned) as Readonly<Record<string, unknown>>
  if (kind === 'refuse' && typeof reason === 'string' && reason !== '') return { kind, reason }
  if (kind === 'allow') return { kind, annotations: toJson(name, annotations) }
  throw new PolicyError(name, new TypeError('It must return allow(…), refuse(…) or undefined'))
}

/** What is recorded, and nothing that its owner still changes. */
function toJson(name: keyof Policies, annotations: unknown): JsonObject {
  try {
    const copy: unknown = JSON.parse(JSON.stringify(annotations))
    if (typeof copy === 'object' && copy !== null && !Array.isArray(copy)) return copy as JsonObject
  } catch (error) {
    throw new PolicyError(name, error)
  }
  throw new PolicyError(name, new TypeError('Its annotations must be an object with JSON values'))
}
