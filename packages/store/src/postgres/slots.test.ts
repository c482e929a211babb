import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { StoreUnavailableError } from '../store-error.js'
import { Deadline } from './deadline.js'
import { Slots } from './slots.js'

const PATIENT = new Deadline(60_000)

it('lets so many work at once, and serves accepts first', async () => {
  const slots = new Slots(2)
  const giveBack = [await slots.take('append', PATIENT), await slots.take('append', PATIENT)]
  const order: string[] = []
  const waiting = (['append', 'accept', 'accept'] as const).map(async (priority) => {
    const back = await slots.take(priority, PATIENT)
    order.push(priority)
    await setImmediate()
    back()
  })
  await setImmediate()
  expect(order).toEqual([])
  giveBack[0]?.()
  await Promise.all(waiting)
  expect(order).toEqual(['accept', 'accept', 'append'])
})

it('turns away who waits too long, and gives that turn to nobody', async () => {
  const slots = new Slots(1)
  const giveBack = await slots.take('accept', PATIENT)
  await expect(slots.take('accept', new Deadline(1))).rejects.toBeInstanceOf(StoreUnavailableError)
  giveBack()
  const again = await slots.take('append', PATIENT)
  again()
})

it('turns away each at its own deadline, whoever waits before it', async () => {
  const slots = new Slots(1)
  const giveBack = await slots.take('accept', PATIENT)
  const patient = slots.take('accept', PATIENT)
  await expect(slots.take('accept', new Deadline(1))).rejects.toBeInstanceOf(StoreUnavailableError)
  giveBack()
  const again = await patient
  again()
})

it('passes over whose deadline is over, also before its timer has told', async () => {
  const slots = new Slots(1)
  const giveBack = await slots.take('accept', PATIENT)
  const deadline = new Deadline(1)
  const overdue = expect(slots.take('accept', deadline)).rejects.toBeInstanceOf(StoreUnavailableError)
  const patient = slots.take('accept', PATIENT)
  while (deadline.left > 0) {
    // No timer fires meanwhile.
  }
  giveBack()
  const again = await patient
  again()
  await overdue
})
