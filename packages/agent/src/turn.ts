import type { JsonObject, MessageJson, PartJson, TaskJson } from '@moorage/protocol'
import type { Content } from './content.js'
import type { Sender } from './principal.js'

/**
 * How a turn ends; made by the methods of `Turn`.
 */
export interface Outcome {
  readonly kind: 'complete' | 'fail' | 'reject' | 'ask' | 'require-auth' | 'park' | 'reply'
  readonly parts?: readonly PartJson[]
  /** What `turn.requireAuth` asks for. */
  readonly scheme?: string
}

/** A message of a turn, with who sent it. */
export interface ReceivedMessage {
  readonly message: MessageJson
  readonly sender: Sender
  /** What the agent's policies noted on it, merged; `{}` for nothing. */
  readonly annotations: JsonObject
}

/** An authorisation that a turn has asked for, and that was given outside of the protocol. */
export interface Authorization {
  /** As `turn.requireAuth` named it. */
  readonly scheme: string
  /** Who says that it is there. */
  readonly by: Sender
  /** ISO 8601 in UTC. */
  readonly at: string
}

/** The context that a turn's task belongs to: what the protocol has for a session. */
export interface TurnContext {
  readonly id: string
  /**
   * The other tasks of the context that the sender of the turn's first message takes part in, of this agent and in the sender's tenant: the one with
   * the newest status first, with artifacts and history. Whoever else uses the same context id shows nothing here.
   *
   * @param options.limit how many at most, from 1 to 100; 20 where it is unset
   * @throws TypeError when the limit is something else.
   */
  tasks(options?: { readonly limit?: number }): Promise<readonly TaskJson[]>
}

/** What a step gets. `key` is the same in every attempt at it: give it to the outside as an idempotency key. */
export interface StepContext {
  readonly key: string
  readonly signal: AbortSignal
}

/** What clients are told of an artifact (A2A §4.1.7). */
export interface ArtifactOptions {
  readonly name?: string
  readonly description?: string
}

/** What is said of one chunk of an artifact (A2A §4.2.2). */
export interface AppendOptions {
  /** Marks the chunk as the artifact's last one. */
  readonly last?: boolean
}

/** Writes one artifact. Chunks are recorded in the order of the calls and reach every stream. */
export interface ArtifactWriter {
  /**
   * Adds parts. Resolves when the chunk may be followed by another: awaiting it gives backpressure. At most 33,554,432 characters at once, as
   * everything that is said or recorded at once (TypeError).
   */
  append(content: Content, options?: AppendOptions): Promise<void>
  /** Puts these parts in the place of all that the artifact had. */
  replace(content: Content, options?: AppendOptions): Promise<void>
}

/**
 * One run of the agent over the messages that wait. It runs at least once: after a lost process it starts again from the top, with the
 * recorded steps at hand and what it wrote taken back.
 */
export interface Turn<Input = undefined> {
  readonly taskId: string
  readonly contextId: string
  /** The same for every attempt at this turn, and no other turn's or command's: an idempotency key. */
  readonly key: string
  /** Counts the attempts at this turn, from 1. */
  readonly attempt: number
  /** The messages of this turn, in the order of their acceptance; never empty. */
  readonly messages: readonly MessageJson[]
  /** The same messages, each with who sent it. */
  readonly received: readonly ReceivedMessage[]
  /**
   * There in the turn that an authorisation began, whose `messages` are those of the turns in a row that asked for it, and what came since: the agent has its
   * request again. A message that comes in its place begins a turn without it.
   */
  readonly authorization?: Authorization
  /** The text parts of all messages of the turn, joined by line breaks. */
  readonly text: string
  /** The data part of the last message, parsed by the agent's `input` schema; undefined for `input: 'text'`. */
  readonly input: Input
  /** Aborted when the turn must stop: the task was canceled, another attempt writes, the time is up, or the process shuts down. */
  readonly signal: AbortSignal
  /** The task as it is recorded now, with artifacts and history. */
  task(): Promise<TaskJson>
  readonly context: TurnContext
  /**
   * The tasks that the turn's messages name in `referenceTaskIds`, in the order of their first mention, each as the sender of its message may read it
   * now: one that has been removed since is not among them.
   */
  references(): Promise<readonly TaskJson[]>
  /**
   * Runs `run` until its result is recorded, then never again in this turn: a later attempt gets the recorded value. The value must be
   * JSON: plain objects and arrays, no dates or classes. The same name used twice in a turn counts as two steps, by the order of the calls;
   * names inside another step are that step's own.
   *
   * Inside `run` neither `status` nor an artifact can be written (TypeError): a retried turn skips the recorded step, and with it what the
   * step wrote. Return the value and write it afterwards; to stream it, do without the step.
   *
   * @throws TypeError when the name is not 1 to 256 plain characters or has a number after `#`, when the value is not JSON, or when `run` wrote.
   */
  step<T>(name: string, run: (step: StepContext) => Promise<T> | T): Promise<T>
  /** @throws TypeError when the id is not 1 to 256 plain characters. */
  artifact(artifactId: string, options?: ArtifactOptions): ArtifactWriter
  /** Says something without ending the turn: a WORKING status update with this message. */
  status(content: Content): Promise<void>
  /** Ends the task COMPLETED; in a conversation, parks it. */
  complete(content?: Content): Outcome
  /** Ends the task FAILED. */
  fail(content: Content): Outcome
  /** Ends the task REJECTED. */
  reject(content: Content): Outcome
  /** Asks: INPUT_REQUIRED; the next message starts the next turn. */
  ask(content: Content): Outcome
  /**
   * Asks for an authorisation that is given outside of the protocol (A2A §7.6.1): AUTH_REQUIRED; the authorisation starts the next turn, with
   * `turn.authorization`, or the next message, without. Clients
   * get `scheme` as `authScheme` in the metadata of the status's message: a security scheme of the card, or a name that they know otherwise.
   *
   * @throws TypeError when the message or the scheme is empty.
   */
  requireAuth(scheme: string, message: Content): Outcome
  /** Waits for the next message without a question: INPUT_REQUIRED. */
  park(content?: Content): Outcome
  /**
   * Answers a blocking send with a Message instead of the Task (A2A §3.1.1), where this is its task's first turn and nothing else has been told of
   * the task: then nobody ever sees the task. Everywhere else it ends the turn as `complete` does.
   *
   * @throws TypeError unless the agent has `reply: 'message-when-direct'`.
   */
  reply(content: Content): Outcome
}
