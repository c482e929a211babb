import type { ArtifactJson, TaskJson } from '@moorage/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { OpenStore } from './fixtures.js'
import { foldEntries } from './fold-entries.js'
import { artifactsAfter, type TaskPlan, taskPlan } from './retried-turn-model.js'
import { createTestTask, type TestTask } from './test-task.js'

/** How many plans are tried on each database. */
const PLANS = 25

/** The task at one moment, as a client gets it that subscribes then. */
interface Moment {
  readonly seq: number
  readonly task: TaskJson
}

export function describeRetriedTurns(open: OpenStore): void {
  describe('whatever the attempts of a turn wrote', () => {
    it('leaves every reader of the log with the Task, from wherever it reads', async () => {
      const store = await open()
      await fc.assert(
        fc.asyncProperty(taskPlan, async (plan) => {
          const task = await createTestTask(store)
          const moments = await carryOut(task, plan)
          await expectOneTask(task, moments)
          expect(keptArtifacts(await task.task())).toEqual(artifactsAfter(plan))
        }),
        { numRuns: PLANS },
      )
    })
  })
}

/** Plays the plan, and tells what a client could have got on the way. */
async function carryOut(task: TestTask, plan: TaskPlan): Promise<readonly Moment[]> {
  const moments: Moment[] = []
  const look = async () => {
    const snapshot = await task.store.get(task.id)
    if (snapshot) moments.push({ seq: snapshot.record.seq, task: snapshot.task })
  }
  for (const [turn, attempts] of plan.entries()) {
    if (turn > 0) await task.send('again')
    for (const [index, batches] of attempts.entries()) {
      const { fence, batch } = await task.open(index + 1, `run/${turn}`)
      await look()
      for (const [offset, writes] of batches.entries()) {
        await task.append(fence, batch + 1 + offset, ...writes)
        await look()
      }
      if (index === attempts.length - 1) await task.transact((tx) => tx.endTurn(task.id, fence, { kind: 'ask' }))
    }
    await look()
  }
  return moments
}

/** Whoever reads from the beginning had the Task at every moment, and whoever has subscribed at one ends with the same Task. */
async function expectOneTask(task: TestTask, moments: readonly Moment[]): Promise<void> {
  const log = await task.log()
  const end = known(await task.task())
  for (const { seq, task: then } of moments) {
    expect(foldEntries(log.slice(0, seq))).toEqual(known(then))
    expect(foldEntries(log.slice(seq), then)).toEqual(end)
  }
  expect(foldEntries(log)).toEqual(end)
}

function known({ status, artifacts }: TaskJson): Pick<TaskJson, 'status' | 'artifacts'> {
  return { status, artifacts: artifacts ?? [] }
}

/** Without those that only stand for what a lost attempt had begun. */
function keptArtifacts({ artifacts = [] }: TaskJson): ReadonlyMap<string, ArtifactJson> {
  const kept = artifacts.filter(({ parts }) => parts[0]?.metadata?.['discarded'] !== true)
  return new Map(kept.map((artifact) => [artifact.artifactId, artifact]))
}
