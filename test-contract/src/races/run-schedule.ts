import { expect } from 'vitest'
import { answerTo } from './answer-to.js'
import type { TwoReplicas } from './databases.js'
import { explain, type Told } from './explain.js'
import { observe } from './observation.js'
import { AGENT, ask, type Race, send } from './race.js'
import { Executions, type Move, type Schedule } from './schedule.js'
import { newTask, type TaskModel } from './task-model.js'

/** More rounds of work than any schedule leaves. */
const MOST_ROUNDS = 20

/**
 * Runs a schedule against a new task, and then whatever it has left. Each burst's answers, and the task after it, must be those of some order of its
 * requests in the model; at the end nothing is left, and nobody would wake the task again.
 */
export async function runSchedule(db: TwoReplicas, name: string, { first, bursts }: Schedule): Promise<void> {
  const race: Race = { name, taskId: await begin(db, name, first) }
  const executions = new Executions(name)
  let models: readonly TaskModel[] = [modelOf(first)]
  const play = async (moves: readonly Move[]): Promise<void> => {
    const told = await playBurst(db, race, first, executions, moves)
    models = explain(models, told, await observe(db, moves[0]?.replica ?? 0, race.taskId))
  }
  for (const moves of bursts) await play(moves)
  for (let round = 0; await isDue(db, race); round += 1) {
    expect(round, 'work comes to an end').toBeLessThan(MOST_ROUNDS)
    for (const move of WORK) await play([{ ...move, replica: 0 }])
  }
  const { rows, marked } = await observe(db, 1, race.taskId)
  expect(marked, 'nobody is woken for nothing').toBe(false)
  expect(rows.filter((row) => !row.endsWith('handled'))).toEqual([])
}

/** What a run does that finds work, and then closes. */
const WORK = [
  { step: 'claim', by: 'new 1' },
  { step: 'reply', by: 'new 1' },
  { step: 'open', by: 'new 1' },
  { step: 'append', by: 'new 1', again: false },
  { step: 'end', by: 'new 1', outcome: 'park' },
  { step: 'settle' },
] as const

/** The first message comes to both replicas at once. */
async function begin({ stores }: TwoReplicas, name: string, first: string): Promise<string> {
  const answers = await Promise.all(stores.map((store) => send(store, { name, taskId: '' }, first, true)))
  expect(answers.map(({ text }) => text).toSorted()).toEqual(['accepted 1 SUBMITTED', 'duplicate 1 SUBMITTED'])
  const [one, other] = answers.map(({ receipt }) => receipt?.taskId)
  expect(one).toBe(other)
  return one as string
}

function modelOf(first: string): TaskModel {
  const task = newTask()
  const request = { kind: 'send', name: first, first: true } as const
  answerTo(task, request)
  answerTo(task, request)
  return task
}

async function playBurst(db: TwoReplicas, race: Race, first: string, executions: Executions, moves: readonly Move[]) {
  const asked = moves.flatMap((move) => {
    const request = executions.request(move, first)
    return request ? [{ move, request }] : []
  })
  const told = await Promise.all(
    asked.map(async ({ move, request }): Promise<Told> => ({ request, answer: await ask(db.stores[move.replica], race, request) })),
  )
  for (const [index, { request, answer }] of told.entries()) executions.learn(asked[index]?.move as Move, request, answer)
  return told
}

async function isDue({ stores: [store] }: TwoReplicas, { taskId }: Race): Promise<boolean> {
  return (await store.claimDue([AGENT], 1000)).some((due) => due.taskId === taskId)
}
