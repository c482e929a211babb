import type { Remaining } from '@moorage/store'
import { agentMessage } from './agent-message.js'
import { type OpenedTurn, type ReturnedTurn, runAgentTurn } from './agent-turn.js'
import { type Attempt, runAttempt } from './attempt.js'
import type { Execution } from './execution.js'
import { persist } from './persist.js'
import { type ActivityPorts, MAX_ATTEMPTS } from './ports.js'
import { toRemaining } from './remaining.js'
import { supersedes } from './supervise.js'

const BEATEN = `The agent could not handle the message: its code failed ${MAX_ATTEMPTS} times.`

/** Opens the turn that waits, runs the agent's code over it behind the fence, and records its outcome. */
export async function runTurn(ports: ActivityPorts, taskId: string, execution: Execution): Promise<Remaining> {
  const opening = await ports.store.transact([taskId], (tx) => tx.openTurn(taskId, execution.scheduling))
  if (opening.kind !== 'opened') return toRemaining(opening)
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
    async fail(cause) {
      // The cause is for the log of this process only.
      logger.error({ err: cause, taskId, ...opening.fence }, 'the turn of the agent failed')
      const message = agentMessage(`${key}/failure`, [{ text: BEATEN }], { taskId, contextId: opening.contextId })
      return store.transact([taskId], (tx) => tx.failTurn(taskId, opening.fence, MAX_ATTEMPTS, message))
    },
    failureType: 'TurnFailed',
  }
}
