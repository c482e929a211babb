import type { Turn } from '@moorage/agent'
import type { AppendOutcome, TurnOpening, TurnOutcome } from '@moorage/store'
import { loadTask } from './load-task.js'
import type { ActivityPorts } from './ports.js'
import type { RunFence } from './run-fence.js'
import { createTurn } from './turn-context.js'
import { readInput } from './turn-input.js'
import { checkedOutcome, toTurnOutcome } from './turn-outcome.js'
import { TurnSteps } from './turn-steps.js'
import { TurnWriter } from './turn-writer.js'

type OpenedTurn = Extract<TurnOpening, { readonly kind: 'opened' }>

/** One attempt at a turn. `key` is the same for every attempt. */
export interface TurnRun {
  readonly ports: ActivityPorts
  readonly taskId: string
  readonly key: string
  readonly opening: OpenedTurn
  readonly fence: RunFence
}

/** Runs the agent's code over the turn's messages; what it wrote is recorded when this returns, its outcome is not yet. */
export async function runAgentTurn(run: TurnRun): Promise<TurnOutcome> {
  const { agent } = run.ports
  const read = await readInput(agent.input, run.opening.messages)
  const saying = { taskId: run.taskId, contextId: run.opening.contextId }
  if ('refusal' in read) return toTurnOutcome({ kind: 'reject', parts: [{ text: read.refusal }] }, agent.lifecycle, run.key, saying)
  const writer = createWriter(run)
  const outcome = checkedOutcome(await agent.turn(turnOf(run, writer, read.input)))
  await writer.flush()
  return toTurnOutcome(outcome, agent.lifecycle, run.key, saying)
}

function createWriter({ ports, taskId, opening, fence }: TurnRun): TurnWriter {
  return new TurnWriter({
    fence,
    batch: opening.batch,
    append: (batch, writes): Promise<AppendOutcome> =>
      ports.store.transact([taskId], (tx) => tx.append(taskId, opening.fence, batch, writes), { priority: 'append' }),
  })
}

function turnOf({ ports, taskId, key, opening, fence }: TurnRun, writer: TurnWriter, input: unknown): Turn<unknown> {
  const steps = new TurnSteps({
    fence,
    turnKey: key,
    recorded: opening.steps,
    flush: () => writer.flush(),
    record: (name, value) =>
      ports.store.transact([taskId], (tx) => tx.recordStep(taskId, opening.fence, name, value), { priority: 'append' }),
  })
  const { contextId, messages } = opening
  const load = () => loadTask(ports.store, taskId, fence)
  return createTurn({ taskId, contextId, key, attempt: opening.fence.attempt, messages, input, fence, writer, steps, load })
}
