import type { Remaining } from '@moorage/store'
import { agentMessage } from './agent-message.js'
import { type OpenedTurn, type ReturnedTurn, runAgentTurn } from './agent-turn.js'
import { type Attempt, runAttempt } from './attempt.js'
import { beating } from './beating.js'
import type { Execution } from './execution.js'
import { persist } from './persist.js'
import { type ActivityPorts, MAX_ATTEMPTS } from './ports.js'
import { toRemaining } from './remaining.js'
import { supersedes } from './supervise.js'

/** How often a turn is begun that never comes to an end, because it takes its process with it. */
const MAX_OPENINGS = 100

const BEATEN = `The agent could not handle the message: its code failed ${MAX_ATTEMPTS} times.`
const MISTAKEN = 'The agent could not handle the message: its code has a mistake, which trying again would not mend.'
const LOST = `The agent could not handle the message: it was begun ${MAX_OPENINGS} times, and its process ended each time.`

/** Opens the turn that waits, runs the agent's code over it behind the fence, and records its outcome. */
export async function runTurn(ports: ActivityPorts, taskId: string, execution: Execution): Promise<Remaining> {
  const opening = await beating(execution, () => ports.store.transact([taskId], (tx) => tx.openTurn(taskId, execution.scheduling)))
  if (opening.kind !== 'opened') return toRemaining(opening)
  if (opening.fence.attempt > MAX_OPENINGS) return toRemaining(await giveUp(ports, taskId, opening))
  return toRemaining(await runAttempt(ports, execution, attemptAt(ports, taskId, opening)))
}

function attemptAt(ports: ActivityPorts, taskId: string, opening: OpenedTurn): Attempt<ReturnedTurn> {
  const { store, logger } = ports
  const key = `${taskId}/turn/${opening.fence.turn}`
  return {
    taskId,
    cursor: opening.cursor,
    superseded: supersedes(opening.fence),
    run: (fence) => runAgentTurn({ ports, taskId, key, opening, fence }),
    async record(fence, { outcome, flush }) {
      await flush()
      return persist(fence, () => store.transact([taskId], (tx) => tx.endTurn(taskId, opening.fence, outcome)))
    },
    fail(cause, maxAttempts) {
      // The cause is for the log of this process only.
      logger.error({ err: cause, taskId, ...opening.fence }, 'the turn of the agent failed')
      return failTurn(ports, taskId, opening, maxAttempts, maxAttempts === 1 ? MISTAKEN : BEATEN)
    },
    failureType: 'TurnFailed',
  }
}

/**
 * Ends a turn that takes its process with it each time. Deploys and lost machines begin a turn anew as well, each once for every worker that
 * it passes through: the number is so high that they do not come to it.
 */
async function giveUp(ports: ActivityPorts, taskId: string, opening: OpenedTurn): Promise<Remaining> {
  ports.logger.error(
    { taskId, ...opening.fence },
    'the turn has been begun too often without an end, and is given up; see why its processes ended',
  )
  return failTurn(ports, taskId, opening, 1, LOST)
}

function failTurn({ store }: ActivityPorts, taskId: string, { fence, contextId }: OpenedTurn, maxAttempts: number, text: string) {
  const message = agentMessage(`${taskId}/turn/${fence.turn}/failure`, [{ text }], { taskId, contextId })
  return store.transact([taskId], (tx) => tx.failTurn(taskId, fence, maxAttempts, message))
}
