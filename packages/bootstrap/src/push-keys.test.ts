import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildAgentCard } from '@moorage/card'
import { expect, test } from 'vitest'
import { openPushKeys } from './push-keys.js'
import { temporaryFolder } from './temporary-folder.js'

const options = { agentId: 'tester', baseUrl: 'http://agent.test', allow: { pushNotifications: true } }
const card = buildAgentCard({ capabilities: { pushNotifications: true } }, options)
const hook = { taskId: 't', id: 'c', url: 'https://example.com/' }
const pushKeys = [{ id: 'k', key: new Uint8Array(32).fill(1) }]
const within = (dataDir: string) => ({ pushKeys: undefined, dataDir, store: { kind: 'sqlite' } }) as const

test('needs no keys where the card declares no push notifications', async () => {
  const dataDir = await temporaryFolder()
  expect(await openPushKeys({ ...within(dataDir), pushKeys }, buildAgentCard({}, options))).toBeUndefined()
  expect(await openPushKeys(within(dataDir), buildAgentCard({}, options))).toBeUndefined()
  expect(await readdir(dataDir)).toEqual([])
})

test('takes those of the variable, and makes no file then', async () => {
  const dataDir = await temporaryFolder()
  const ring = await openPushKeys({ ...within(dataDir), pushKeys }, card)
  expect(await ring?.seal('text', hook)).toMatch(/^k:/)
  expect(await readdir(dataDir)).toEqual([])
})

test('makes a file for this user alone in the data folder, once', async () => {
  const dataDir = await temporaryFolder()
  const rings = await Promise.all([openPushKeys(within(dataDir), card), openPushKeys(within(dataDir), card)])
  const sealed = (await rings[0]?.seal('text', hook)) ?? ''
  const later = await openPushKeys(within(dataDir), card)
  for (const ring of [...rings, later]) expect(await ring?.open(sealed, hook)).toBe('text')
  expect(await readdir(dataDir)).toEqual(['push-keys'])
  expect((await stat(join(dataDir, 'push-keys'))).mode & 0o777).toBe(0o600)
  expect(await readFile(join(dataDir, 'push-keys'), 'utf8')).toMatch(/^local-[\da-f]{8}:[A-Za-z0-9+/]{43}=\n$/)
})

test.each(['', 'k:short', 'nonsense'])('never makes a file anew over one that is none: %j', async (content) => {
  const dataDir = await temporaryFolder()
  const path = join(dataDir, 'push-keys')
  await writeFile(path, content)
  await expect(openPushKeys(within(dataDir), card)).rejects.toMatchObject({
    name: 'ConfigError',
    message: expect.stringMatching(/push-keys, the keys of the push notification configs, is no file of keys\. Restore it/),
  })
  expect(await readFile(path, 'utf8')).toBe(content)
})

test('nor over one that cannot be read', async () => {
  const dataDir = await temporaryFolder()
  await mkdir(join(dataDir, 'push-keys'))
  await expect(openPushKeys(within(dataDir), card)).rejects.toMatchObject({
    message: expect.stringMatching(/configs, is a folder\. Restore/),
  })
})

test('says where no file can be made', async () => {
  const dataDir = join(await temporaryFolder(), 'gone')
  await expect(openPushKeys(within(dataDir), card)).rejects.toMatchObject({
    message: expect.stringMatching(/push-keys cannot be made: .*Make the folder writable, or set MOORAGE_PUSH_KEYS$/),
  })
})

test.each([
  { dataDir: undefined, store: { kind: 'postgres' } },
  { dataDir: '/never/read', store: { kind: 'postgres' } },
] as const)('demands the variable where the tasks are in Postgres: %#', async (where) => {
  await expect(openPushKeys({ pushKeys: undefined, ...where }, card)).rejects.toMatchObject({
    message: expect.stringMatching(/^MOORAGE_PUSH_KEYS is not set: the card declares push notifications/),
  })
})
