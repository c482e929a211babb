import type { Remaining, TurnOutcome } from '@moorage/store'
import { agentMessage } from './agent-message.js'
import { runAgentTurn, type TurnRun } from './agent-turn.js'
import { attempt } from './attempt.js'
import type { Execution } from './execution.js'
import { failure } from './failures.js'
import { persist } from './persist.js'
import { type ActivityPorts, MAX_ATTEMPTS } from './ports.js'
import { toRemaining } from './remaining.js'
import { retreat } from './retreat.js'
import { supersedes, supervise } from './supervise.js'

const BEATEN = `The agent could not handle the message: its code failed ${MAX_ATTEMPTS} times.`

/** Opens the turn that waits, runs the agent's code over it behind the fence, and records its outcome. */
export async function runTurn(ports: ActivityPorts, taskId: string, execution: Execution): Promise<Remaining> {
  const opening = await ports.store.transact([taskId], (tx) => tx.openTurn(taskId, execution.scheduling))
  if (opening.kind !== 'opened') return toRemaining(opening)
  const superseded = supersedes(opening.fence)
  const { fence, unfollow, release } = supervise(ports, taskId, execution, { cursor: opening.cursor, superseded })
  const run: TurnRun = { ports, taskId, key: `${taskId}/turn/${opening.fence.turn}`, opening, fence }
  try {
    const ended = await attempt(fence, execution, () => runAgentTurn(run))
    if (ended.kind === 'failed') return await fail(run, ended.cause)
    // From here on the log's terminal entry is this turn's own.
    unfollow()
    const recorded = ended.kind === 'done' ? await fence.race(end(run, ended.value)) : undefined
    return recorded ? toRemaining(recorded.value) : await retreat(ports, taskId, execution, fence.reason)
  } finally {
    release()
  }
}

function end({ ports, taskId, opening, fence }: TurnRun, outcome: TurnOutcome): Promise<Remaining> {
  return persist(fence, () => ports.store.transact([taskId], (tx) => tx.endTurn(taskId, opening.fence, outcome)))
}

/** Counts an error of the agent's code. Its cause is for the log of this process only. */
async function fail({ ports, taskId, key, opening, fence }: TurnRun, cause: unknown): Promise<Remaining> {
  fence.raise('over')
  ports.logger.error({ err: cause, taskId, ...opening.fence }, 'the turn of the agent failed')
  const message = agentMessage(`${key}/failure`, [{ text: BEATEN }], { taskId, contextId: opening.contextId })
  const outcome = await ports.store.transact([taskId], (tx) => tx.failTurn(taskId, opening.fence, MAX_ATTEMPTS, message))
  if (outcome.retry) throw failure('TurnFailed')
  return toRemaining(outcome)
}
