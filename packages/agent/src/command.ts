import type { JsonObject, PartJson, TaskJson } from '@moorage/protocol'
import type { Content } from './content.js'
import type { Sender } from './principal.js'

/** What a command answers; made by `run.reply`. */
export interface Reply {
  readonly parts: readonly PartJson[]
}

/** One run of a command. It runs until its reply is recorded, so perhaps more than once. */
export interface CommandRun {
  readonly taskId: string
  readonly contextId: string
  /** The same for every run of this command, and no other command's or turn's: an idempotency key. */
  readonly key: string
  /** What follows the command's name, trimmed. */
  readonly args: string
  readonly sender: Sender
  /** What the agent's policies noted on the command, merged; `{}` for nothing. */
  readonly annotations: JsonObject
  readonly signal: AbortSignal
  /** The task as it is recorded now, with artifacts and history. */
  task(): Promise<TaskJson>
  reply(content: Content): Reply
}

/** A command of an agent; made by `command`. */
export interface Command {
  readonly description: string
  readonly run: (run: CommandRun) => Promise<Reply> | Reply
}

/**
 * A command: what a message `/name arguments` runs, also while a turn is running, without ending it.
 * @throws TypeError when the description is empty or `run` is no function.
 */
export function command(description: string, run: Command['run']): Command {
  if (typeof description !== 'string' || description.trim() === '') throw new TypeError('command: description must say what it does')
  if (typeof run !== 'function') throw new TypeError('command: run must be a function that returns run.reply(…)')
  return Object.freeze({ description, run })
}
