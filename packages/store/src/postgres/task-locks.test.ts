import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { StoreUnavailableError } from '../store-error.js'
import { Deadline } from './deadline.js'
import { TaskLocks } from './task-locks.js'

const PATIENT = new Deadline(60_000)

function openLocks() {
  const locks = new TaskLocks()
  const notes: string[] = []
  /** Holds the tasks until it is let go. */
  const hold = (name: string, ids: readonly string[], deadline = PATIENT) => {
    let letGo = () => {}
    const until = new Promise<void>((resolve) => (letGo = resolve))
    const held = locks.hold(ids, deadline, async () => {
      notes.push(name)
      await until
    })
    return { held, letGo }
  }
  return { notes, hold }
}

it('lets one after the other have a task, in the order in which they came, and others have other tasks', async () => {
  const { notes, hold } = openLocks()
  const [first, second, other] = [hold('first', ['a']), hold('second', ['a', 'b']), hold('other', ['c'])]
  await setImmediate()
  expect(notes).toEqual(['first', 'other'])
  const third = hold('third', ['b'])
  first.letGo()
  await first.held
  await setImmediate()
  expect(notes).toEqual(['first', 'other', 'second'])
  for (const { letGo } of [second, third, other]) letGo()
  await Promise.all([second.held, third.held, other.held])
  expect(notes).toEqual(['first', 'other', 'second', 'third'])
})

it('turns away who waits too long, and keeps the next one waiting for who was before', async () => {
  const { notes, hold } = openLocks()
  const first = hold('first', ['a'])
  await expect(hold('late', ['a'], new Deadline(1)).held).rejects.toBeInstanceOf(StoreUnavailableError)
  const next = hold('next', ['a'])
  await setImmediate()
  expect(notes).toEqual(['first'])
  first.letGo()
  next.letGo()
  await next.held
  expect(notes).toEqual(['first', 'next'])
})

it('goes on after work that throws', async () => {
  const locks = new TaskLocks()
  const fault = new Error('no')
  await expect(locks.hold(['a'], PATIENT, () => Promise.reject(fault))).rejects.toBe(fault)
  expect(await locks.hold(['a'], PATIENT, async () => 7)).toBe(7)
})
