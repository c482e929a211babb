import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createWaker } from '@moorage/workflow/client'
import { expect, it, onTestFinished } from 'vitest'
import { createTemporalLook } from './temporal-look.js'

it('does not wait for a Temporal that takes connections and says nothing', async () => {
  const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const logger = { debug() {}, info() {}, warn() {}, error() {} }
  const waker = createWaker({ temporal: { address: `127.0.0.1:${(silent.address() as AddressInfo).port}` }, storeId: 'store', logger })
  onTestFinished(async () => {
    await waker.close()
    silent.close()
  })
  const settled: string[] = []
  const looked = waker.check().then(() => settled.push('check'))

  expect(await createTemporalLook(waker)()).toBe(false)

  settled.push('look')
  await looked
  expect(settled).toEqual(['look', 'check'])
})

it('has one look made for all who ask at about the same time', async () => {
  let looks = 0
  const reachesTemporal = createTemporalLook({
    check: async () => {
      looks += 1
      return { connected: true }
    },
  })

  expect(await Promise.all([reachesTemporal(), reachesTemporal()])).toEqual([true, true])
  expect(await reachesTemporal()).toBe(true)
  expect(looks).toBe(1)
})
