import { expect, it } from 'vitest'
import { fromPayload, Notifier, toPayloads } from './notifier.js'

it('gathers what is changed, and tells the last sequence number of each task', async () => {
  const sent: (readonly string[])[] = []
  const notifier = new Notifier(async (payloads) => sent.push(payloads))
  notifier.add(new Map([['a', 2]]))
  notifier.add(
    new Map([
      ['a', 1],
      ['b', 7],
    ]),
  )
  await notifier.idle()
  expect(sent).toEqual([['[["a",2],["b",7]]']])
  notifier.add(new Map())
  await notifier.idle()
  expect(sent).toHaveLength(1)
})

it('tells what comes while it sends, and goes on after a failure', async () => {
  const sent: string[] = []
  const notifier = new Notifier(async (payloads) => {
    sent.push(...payloads)
    if (sent.length === 1) {
      notifier.add(new Map([['b', 1]]))
      throw new Error('the connection broke')
    }
  })
  notifier.add(new Map([['a', 1]]))
  await notifier.idle()
  expect(sent).toEqual(['[["a",1]]', '[["b",1]]'])
})

it('splits what is too long for one payload, and leaves out an id that is', () => {
  const changed = Array.from({ length: 1000 }, (_, index) => [`täsk ${index} \u0000`, index] as const)
  const payloads = toPayloads([...changed, ['x'.repeat(8000), 1]])
  expect(payloads.length).toBeGreaterThan(1)
  for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8000)
  expect(payloads.flatMap(fromPayload)).toEqual(changed)
  expect(toPayloads([])).toEqual([])
})
