import { expect, it } from 'vitest'
import { Teardown } from './teardown.js'

it('stops the last first, one after the other, also where one fails', async () => {
  const told: string[] = []
  const teardown = new Teardown((name) => told.push(name))
  teardown.add('first', async () => void told.push('first has ended'))
  teardown.add('second', () => Promise.reject(new Error('broken')))
  teardown.add('third', async () => void told.push('third has ended'))
  await expect(teardown.run()).rejects.toMatchObject({ errors: [new Error('broken')] })
  expect(told).toEqual(['third', 'third has ended', 'second', 'first', 'first has ended'])
})
