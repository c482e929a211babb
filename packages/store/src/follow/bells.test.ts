import { expect, it } from 'vitest'
import { Bells } from './bells.js'

function openBells() {
  const notes: string[] = []
  const bells = new Bells(
    () => notes.push('occupied'),
    () => notes.push('vacant'),
  )
  const listen = (taskId: string, after: number) => bells.listen(taskId, { after, ring: () => notes.push(`${taskId} after ${after}`) })
  return { bells, notes, listen }
}

it('rings for those who wait for the task', () => {
  const { bells, notes, listen } = openBells()
  listen('a', 1)
  listen('a', 2)
  listen('b', 3)
  bells.ring('a')
  bells.ring('c')
  expect(notes).toEqual(['occupied', 'a after 1', 'a after 2'])
})

it('rings only for those who have not read so far', () => {
  const { bells, notes, listen } = openBells()
  listen('a', 1)
  listen('a', 2)
  bells.ring('a', 2)
  expect(notes).toEqual(['occupied', 'a after 1'])
})

it('rings for everybody', () => {
  const { bells, notes, listen } = openBells()
  listen('a', 1)
  listen('b', 2)
  bells.ringAll()
  expect(notes).toEqual(['occupied', 'a after 1', 'b after 2'])
})

it('says when the first comes and the last goes, and keeps nothing', () => {
  const { bells, notes, listen } = openBells()
  const stops = [listen('a', 1), listen('a', 2), listen('b', 3)]
  for (const stop of stops) {
    stop()
    stop()
  }
  bells.ringAll()
  expect(notes).toEqual(['occupied', 'vacant'])
  expect(bells.taskIds).toEqual([])
  listen('a', 1)
  expect(notes).toEqual(['occupied', 'vacant', 'occupied'])
})
