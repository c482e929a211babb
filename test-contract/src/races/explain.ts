import { answerTo } from './answer-to.js'
import { type Observation, observationOf } from './observation.js'
import type { Answer } from './race.js'
import type { Request } from './request.js'
import type { TaskModel } from './task-model.js'

/** A request and what it was answered. */
export interface Told {
  readonly request: Request
  readonly answer: Answer
}

/**
 * What the task may be after requests that came at once: every outcome of an order in which the model gives these answers and shows what is seen.
 * @throws Error that tells what was asked and answered, where there is none
 */
export function explain(before: readonly TaskModel[], told: readonly Told[], seen: Observation): readonly TaskModel[] {
  const found = new Map<string, TaskModel>()
  const expected = JSON.stringify(seen)
  const visit = (task: TaskModel, open: readonly Told[]): void => {
    if (open.length === 0 && JSON.stringify(observationOf(task)) === expected) found.set(JSON.stringify(task), task)
    for (const next of open) {
      const after = structuredClone(task)
      if (answerTo(after, next.request) !== next.answer.text) continue
      visit(
        after,
        open.filter((other) => other !== next),
      )
    }
  }
  for (const task of before) visit(task, told)
  if (found.size === 0) throw new Error(complaint(before, told, seen))
  return [...found.values()]
}

function complaint([before]: readonly TaskModel[], told: readonly Told[], seen: Observation): string {
  const task = structuredClone(before) as TaskModel
  const lines = told.map(({ request, answer }) => {
    return `${JSON.stringify(request)}\n   was answered: ${answer.text}\n   in this order: ${answerTo(task, request)}`
  })
  return [
    'No order of these requests has these answers and this outcome:',
    ...lines,
    `before: ${JSON.stringify(before)}`,
    `seen:   ${JSON.stringify(seen)}`,
    `model:  ${JSON.stringify(observationOf(task))} (in this order)`,
  ].join('\n')
}
