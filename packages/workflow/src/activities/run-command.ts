import type { PartJson } from '@moorage/protocol'
import type { Remaining } from '@moorage/store'
import { ACTIVITY_MARGIN_MS } from '../contract/activities.js'
import { type ClaimedCommand, runAgentCommand } from './agent-command.js'
import { agentMessage } from './agent-message.js'
import { type Attempt, runAttempt } from './attempt.js'
import { beating } from './beating.js'
import type { Execution } from './execution.js'
import { persist } from './persist.js'
import type { ActivityPorts } from './ports.js'
import { toRemaining } from './remaining.js'

/** After this time the Activity ends, although more commands wait: the next one must have its full timeout. */
const LONGEST_ROUND_MS = ACTIVITY_MARGIN_MS / 2

/** Runs the commands that wait, one after the other, until another execution has them. */
export async function runCommands(ports: ActivityPorts, taskId: string, execution: Execution): Promise<Remaining> {
  const started = performance.now()
  for (;;) {
    const opening = await beating(execution, () => ports.store.transact([taskId], (tx) => tx.claimCommand(taskId, execution.scheduling)))
    if (opening.kind !== 'claimed') return toRemaining(opening)
    // The last entry is read again, since it may have ended the task after the claim.
    const cursor = ((await ports.store.record(taskId))?.seq ?? 1) - 1
    const outcome = await runAttempt(ports, execution, attemptAt(ports, taskId, opening, cursor))
    // To claim it again would take the command from the execution that has it now.
    const over = outcome.terminal || outcome.result === 'stale'
    if (over || performance.now() - started > LONGEST_ROUND_MS) return toRemaining(outcome)
  }
}

function attemptAt(ports: ActivityPorts, taskId: string, opening: ClaimedCommand, cursor: number): Attempt<readonly PartJson[]> {
  const { store, logger } = ports
  const { command, position, claim, contextId } = opening
  const key = `${taskId}/command/${position}`
  const reply = (parts: readonly PartJson[]) => agentMessage(`${key}/reply`, parts, { taskId, contextId })
  return {
    taskId,
    cursor,
    // A claim by another worker makes no entry: a reply behind the older one is refused.
    superseded: () => false,
    run: (fence) => runAgentCommand({ ports, taskId, key, opening, fence }),
    record(fence, parts) {
      const message = reply(parts)
      return persist(fence, () => store.transact([taskId], (tx) => tx.replyToCommand(taskId, position, claim, message)))
    },
    fail(cause, maxAttempts) {
      // The cause is for the log of this process only.
      logger.error({ err: cause, taskId, command, position }, 'the command of the agent failed')
      const text = maxAttempts === 1 ? mistaken(command) : `The command /${command} failed ${maxAttempts} times.`
      return store.transact([taskId], (tx) => tx.failCommand(taskId, position, claim, maxAttempts, reply([{ text }])))
    },
    failureType: 'CommandFailed',
  }
}

function mistaken(command: string): string {
  return `The command /${command} failed: its code has a mistake, which trying again would not mend.`
}
