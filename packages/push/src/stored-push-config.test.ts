import { expect, test } from 'vitest'
import { createPushKeyRing } from './key-ring.js'
import { openPushConfig, type StoredPushConfig, sealPushConfig, showPushConfig } from './stored-push-config.js'

const ring = createPushKeyRing([{ id: 'k', key: new Uint8Array(32).fill(7) }])
const url = 'https://example.com/hook'
const full = { id: 'c', url, token: 'my-token', authentication: { scheme: 'Bearer', credentials: 'my-credentials' } }

const storeOf = (config?: StoredPushConfig) => ({ pushConfig: async () => ({ config }) })

test('stores no secret as it is, and opens it again', async () => {
  const stored = await sealPushConfig(ring, 't', full, '1.0')
  expect(stored).toEqual({ id: 'c', url, scheme: 'Bearer', wireVersion: '1.0', sealed: expect.stringMatching(/^k:/) })
  expect(JSON.stringify(stored)).not.toMatch(/my-/)
  expect(await openPushConfig(storeOf(stored), ring, 't', 'c')).toEqual({ ...full, taskId: 't', wireVersion: '1.0' })
})

test('gives an id to a config that has none, and seals nothing where nothing is secret', async () => {
  const stored = await sealPushConfig(ring, 't', { url, authentication: { scheme: 'Basic' } }, '0.3')
  expect(stored).toEqual({ id: expect.stringMatching(/^[\da-f-]{36}$/), url, scheme: 'Basic', wireVersion: '0.3' })
  const opened = { id: stored.id, taskId: 't', url, authentication: { scheme: 'Basic' }, wireVersion: '0.3' }
  expect(await openPushConfig(storeOf(stored), ring, 't', stored.id)).toEqual(opened)
})

test('shows neither token nor credentials', async () => {
  const stored = await sealPushConfig(ring, 't', full, '1.0')
  expect(showPushConfig('t', stored)).toEqual({ id: 'c', taskId: 't', url, authentication: { scheme: 'Bearer' } })
  expect(showPushConfig('t', { id: 'c', url, wireVersion: '1.0' }, 'acme')).toEqual({ tenant: 'acme', id: 'c', taskId: 't', url })
})

test('knows no config that is not there', async () => {
  expect(await openPushConfig(storeOf(), ring, 't', 'c')).toBeUndefined()
  expect(await openPushConfig({ pushConfig: async () => undefined }, ring, 't', 'c')).toBeUndefined()
})
