import type { CommandRun, Reply } from '@moorage/agent'
import type { MessageJson, PartJson } from '@moorage/protocol'
import type { CommandOpening, Remaining } from '@moorage/store'
import { ACTIVITY_MARGIN_MS } from '../contract/activities.js'
import { agentMessage, checkedParts } from './agent-message.js'
import { attempt } from './attempt.js'
import type { Execution } from './execution.js'
import { failure } from './failures.js'
import { heard } from './heard.js'
import { loadTask } from './load-task.js'
import { persist } from './persist.js'
import { type ActivityPorts, MAX_ATTEMPTS } from './ports.js'
import { toRemaining } from './remaining.js'
import { retreat } from './retreat.js'
import type { RunFence } from './run-fence.js'
import { supervise } from './supervise.js'

/** After this time the Activity ends, although more commands wait: the next one must have its full timeout. */
const LONGEST_ROUND_MS = ACTIVITY_MARGIN_MS / 2

type ClaimedCommand = Extract<CommandOpening, { readonly kind: 'claimed' }>

interface ClaimedRun {
  readonly ports: ActivityPorts
  readonly taskId: string
  /** The same for every run of this command. */
  readonly key: string
  readonly opening: ClaimedCommand
  readonly fence: RunFence
}

/** Runs the commands that wait, one after the other. */
export async function runCommands(ports: ActivityPorts, taskId: string, execution: Execution): Promise<Remaining> {
  const started = performance.now()
  for (;;) {
    const opening = await ports.store.transact([taskId], (tx) => tx.claimCommand(taskId))
    if (opening.kind === 'idle') return toRemaining(opening)
    const remaining = await runCommand(ports, taskId, execution, opening)
    if (remaining.terminal || performance.now() - started > LONGEST_ROUND_MS) return remaining
  }
}

async function runCommand(ports: ActivityPorts, taskId: string, execution: Execution, opening: ClaimedCommand): Promise<Remaining> {
  // The last entry is read again, since it may have ended the task after the claim.
  const cursor = ((await ports.store.record(taskId))?.seq ?? 1) - 1
  // A claim by another worker makes no entry: a reply behind the older one is refused.
  const { fence, unfollow, release } = supervise(ports, taskId, execution, { cursor, superseded: () => false })
  const run: ClaimedRun = { ports, taskId, key: `${taskId}/command/${opening.position}`, opening, fence }
  try {
    const ended = await attempt(fence, execution, () => runAgentCommand(run))
    if (ended.kind === 'failed') return await fail(run, ended.cause)
    unfollow()
    const recorded = ended.kind === 'done' ? await fence.race(reply(run, ended.value)) : undefined
    return recorded ? toRemaining(recorded.value) : await retreat(ports, taskId, execution, fence.reason)
  } finally {
    release()
  }
}

async function runAgentCommand({ ports, taskId, key, opening, fence }: ClaimedRun): Promise<readonly PartJson[]> {
  const { agent, store } = ports
  const command = Object.hasOwn(agent.commands, opening.command) ? agent.commands[opening.command] : undefined
  if (!command) return [{ text: `This agent does not know /${opening.command} any more.` }]
  const run: CommandRun = {
    taskId,
    contextId: opening.contextId,
    key,
    args: opening.args,
    signal: fence.signal,
    task: () => heard(loadTask(store, taskId, fence)),
    reply: (content) => ({ parts: checkedParts(content, 'run.reply') }),
  }
  return checkedReply(await command.run(run)).parts
}

function checkedReply(value: unknown): Reply {
  if (typeof value === 'object' && value !== null && 'parts' in value && Array.isArray(value.parts)) return value as Reply
  throw new TypeError('a command must return run.reply(…)')
}

function reply(run: ClaimedRun, parts: readonly PartJson[]): Promise<Remaining> {
  const { ports, taskId, opening, fence } = run
  const message = messageOf(run, parts)
  return persist(fence, () => ports.store.transact([taskId], (tx) => tx.replyToCommand(taskId, opening.position, opening.claim, message)))
}

/** Counts an error of the command's code. Its cause is for the log of this process only. */
async function fail(run: ClaimedRun, cause: unknown): Promise<Remaining> {
  const { ports, taskId, opening, fence } = run
  const { command, position, claim } = opening
  fence.raise('over')
  ports.logger.error({ err: cause, taskId, command, position }, 'the command of the agent failed')
  const message = messageOf(run, [{ text: `The command /${command} failed ${MAX_ATTEMPTS} times.` }])
  const outcome = await ports.store.transact([taskId], (tx) => tx.failCommand(taskId, position, claim, MAX_ATTEMPTS, message))
  if (outcome.retry) throw failure('CommandFailed')
  return toRemaining(outcome)
}

function messageOf({ taskId, key, opening }: ClaimedRun, parts: readonly PartJson[]): MessageJson {
  return agentMessage(`${key}/reply`, parts, { taskId, contextId: opening.contextId })
}
