import type { Outcome, Turn } from '@moorage/agent'
import type { Redactor } from '@moorage/inbox'
import type { TurnOpening, TurnOutcome } from '@moorage/store'
import { refuseSecret } from './check-name.js'
import { loadTask } from './load-task.js'
import { referencedTasks, tasksOfContext } from './other-tasks.js'
import type { ActivityPorts } from './ports.js'
import { RedactingWriter, type Writer } from './redacting-writer.js'
import type { RunFence } from './run-fence.js'
import { createTurn } from './turn-context.js'
import { readInput } from './turn-input.js'
import { checkedOutcome, toTurnOutcome } from './turn-outcome.js'
import { TurnSteps } from './turn-steps.js'
import { TurnWriter } from './turn-writer.js'

export type OpenedTurn = Extract<TurnOpening, { readonly kind: 'opened' }>

/** One attempt at a turn. `key` is the same for every attempt. */
interface TurnRun {
  readonly ports: ActivityPorts
  readonly taskId: string
  readonly key: string
  readonly opening: OpenedTurn
  readonly fence: RunFence
}

/** What the agent's code has come to. */
export interface ReturnedTurn {
  readonly outcome: TurnOutcome
  /** Resolves when everything that the code wrote is recorded. */
  readonly flush: () => Promise<void>
}

/** Runs the agent's code over the turn's messages; neither its outcome nor all that it wrote is recorded yet. */
export async function runAgentTurn(run: TurnRun): Promise<ReturnedTurn> {
  const { agent } = run.ports
  const messages = run.opening.received.map(({ message }) => message)
  const read = await readInput(agent.input, messages)
  const saying = { taskId: run.taskId, contextId: run.opening.contextId }
  const writer = createWriter(run)
  const returned = 'refusal' in read ? refuse(read.refusal) : checkedOutcome(await agent.turn(turnOf(run, writer, read.input)))
  if (returned.scheme !== undefined) refuseSecret('turn.requireAuth: scheme', returned.scheme, run.ports.redactor)
  const outcome = toTurnOutcome(returned, agent.lifecycle, run.key, saying)
  return { outcome: redactOutcome(outcome, run.ports.redactor), flush: () => writer.flush() }
}

function redactOutcome(outcome: TurnOutcome, redactor: Redactor): TurnOutcome {
  return outcome.message === undefined ? outcome : { ...outcome, message: redactor.message(outcome.message) }
}

function refuse(refusal: string): Outcome {
  return { kind: 'reject', parts: [{ text: refusal }] }
}

function createWriter({ ports, taskId, opening, fence }: TurnRun): Writer {
  const writer = new TurnWriter({
    fence,
    batch: opening.batch,
    append: (batch, writes) =>
      ports.store.transact([taskId], (tx) => tx.append(taskId, opening.fence, batch, writes), { priority: 'append' }),
  })
  return new RedactingWriter(writer, ports.redactor)
}

function turnOf({ ports, taskId, key, opening, fence }: TurnRun, writer: Writer, input: unknown): Turn<unknown> {
  const steps = new TurnSteps({
    fence,
    turnKey: key,
    recorded: opening.steps,
    redactor: ports.redactor,
    flush: () => writer.flush(),
    record: (name, value) =>
      ports.store.transact([taskId], (tx) => tx.recordStep(taskId, opening.fence, name, value), { priority: 'append' }),
  })
  const { contextId, received, authorization } = opening
  const lookout = { ports, taskId, contextId, received, fence }
  return createTurn({
    taskId,
    contextId,
    key,
    attempt: opening.fence.attempt,
    received,
    authorization,
    input,
    fence,
    writer,
    steps,
    load: () => loadTask(ports.store, taskId, fence),
    context: { id: contextId, tasks: (options) => tasksOfContext(lookout, options) },
    references: () => referencedTasks(lookout),
    redactor: ports.redactor,
    mayReply: ports.agent.reply === 'message-when-direct',
  })
}
