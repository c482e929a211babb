import { expect, it } from 'vitest'
import { BACKENDS, faultsOn } from './fault.js'
import { planRounds } from './plan.js'

it('is decided by the seed, and begins alike however many rounds there are', () => {
  const plan = planRounds({ seed: 7, rounds: 30, on: 'postgres' })
  expect(planRounds({ seed: 7, rounds: 30, on: 'postgres' })).toEqual(plan)
  expect(planRounds({ seed: 7, rounds: 40, on: 'postgres' }).slice(0, 30)).toEqual(plan)
  expect(planRounds({ seed: 8, rounds: 30, on: 'postgres' })).not.toEqual(plan)
})

it.each(BACKENDS)('has every fault that there can be on %s within a few rounds', (on) => {
  const all = faultsOn(on)
  const planned = planRounds({ seed: 1, rounds: all.length, on }).flatMap(({ faults }) => faults)
  for (const fault of all) expect(planned).toContainEqual(expect.objectContaining(fault))
})

it('gives each task a name of its own, and two faults of a round two targets', () => {
  const rounds = planRounds({ seed: 3, rounds: 200, on: 'sqlite' })
  const labels = rounds.flatMap(({ tasks }) => tasks.map(({ label }) => label))
  expect(new Set(labels).size).toBe(labels.length)
  for (const { faults } of rounds) expect(new Set(faults.map(({ target }) => target)).size).toBe(faults.length)
})
