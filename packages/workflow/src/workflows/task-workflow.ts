import { allHandlersFinished, condition, continueAsNew, setHandler, workflowInfo } from '@temporalio/workflow'
import { fewPositions } from '../contract/few-positions.js'
import type { Delivery, TaskWorkflowInput } from '../contract/index.js'
import { deliverSignal, deliverUpdate, monitorQuery } from './definitions.js'
import { Lanes } from './lanes.js'
import { type Move, nextMove } from './next-move.js'
import { Unhandled } from './unhandled.js'

/**
 * Runs what waits in one task until the task has ended or nothing has come for `policy.parkedMs`. Holds positions only, so that it can be
 * started again from the store at any time.
 */
export async function taskWorkflow(input: TaskWorkflowInput): Promise<void> {
  const unhandled = new Unhandled(input)
  const lanes = new Lanes(input, (remaining) => unhandled.observe(remaining))
  const deliver = (delivery: Delivery): void => unhandled.deliver(delivery)
  setHandler(deliverUpdate, deliver)
  setHandler(deliverSignal, deliver)
  setHandler(monitorQuery, () => ({ unhandled: unhandled.list(), running: [...lanes.running] }))

  const move = (): Move | undefined =>
    nextMove({
      terminal: unhandled.terminal,
      message: unhandled.has('message') || unhandled.has('authorization'),
      command: unhandled.has('command'),
      look: unhandled.look,
      running: lanes.running,
      historyFull: workflowInfo().continueAsNewSuggested,
    })

  for (;;) {
    lanes.check()
    const next = move()
    switch (next) {
      case 'end':
        lanes.cancel()
        return
      case 'continue-as-new':
        await condition(allHandlersFinished)
        await continueAsNew<typeof taskWorkflow>({ ...input, unhandled: fewPositions(unhandled.list()) })
        break
      case 'park':
        // What came together with the timer is seen by the next round.
        if (!(await condition(() => move() !== 'park', input.policy.parkedMs)) && move() === 'park') return
        break
      case undefined:
        await condition(() => lanes.failed || move() !== undefined)
        break
      case 'look':
        unhandled.look = false
        lanes.start(next)
        break
      case 'turn':
      case 'command':
        lanes.start(next)
    }
  }
}
