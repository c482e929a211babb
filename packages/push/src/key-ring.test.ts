import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { createPushKeyRing } from './key-ring.js'

const key = (id: string, byte: number) => ({ id, key: new Uint8Array(32).fill(byte) })
const hook = { taskId: 't', id: 'c', url: 'https://example.com/hook' }
const old = createPushKeyRing([key('old', 1)])

test('opens what it sealed, and seals the same text differently each time', async () => {
  const sealed = [await old.seal('sesame', hook), await old.seal('sesame', hook)]
  expect(new Set(sealed).size).toBe(2)
  for (const text of sealed) {
    expect(text).toMatch(/^old:/)
    expect(text).not.toContain('sesame')
    expect(await old.open(text, hook)).toBe('sesame')
  }
})

test('rotates: the first key seals, all open', async () => {
  const rotated = createPushKeyRing([key('new', 2), key('old', 1)])
  expect(await rotated.open(await old.seal('sesame', hook), hook)).toBe('sesame')
  expect(await rotated.seal('sesame', hook)).toMatch(/^new:/)
})

test('opens for no other task, config or address', async () => {
  const sealed = await old.seal('sesame', hook)
  for (const other of [{ taskId: 'u' }, { id: 'd' }, { url: 'https://elsewhere.example/hook' }]) {
    const failed = { name: 'PushError', code: 'unreadable', message: expect.stringMatching(/with the key old/) }
    await expect(old.open(sealed, { ...hook, ...other })).rejects.toMatchObject(failed)
  }
})

test.each([
  (sealed: string) => sealed.slice(0, -4).concat('AAAA'),
  (sealed: string) => sealed.replace(/:.*:/, ':AAAA:'),
  () => 'old',
  () => 'old:%:%',
])('refuses what was changed: %#', async (change) => {
  await expect(old.open(change(await old.seal('sesame', hook)), hook)).rejects.toMatchObject({ code: 'unreadable' })
})

test('names the key that is missing and the config that needs it', async () => {
  const sealed = await old.seal('sesame', hook)
  const other = createPushKeyRing([key('new', 2)])
  await expect(other.open(sealed, hook)).rejects.toMatchObject({
    code: 'unknown-key',
    message:
      'The secrets of push notification config c of task t are sealed with the key old, which is missing: give that key too, behind the first one',
  })
})

test.each([
  [[], 'createPushKeyRing: keys must have at least one key'],
  [[key('a b', 1)], 'createPushKeyRing: keys[0].id must be 1 to 64 letters, digits, ".", "_" or "-"'],
  [[key('a', 1), key('a', 2)], 'createPushKeyRing: keys[1].id must be another one than that of an earlier key (a)'],
  [[{ id: 'a', key: new Uint8Array(16) }], 'createPushKeyRing: keys[0].key must have 32 bytes; it has 16'],
])('refuses keys that are none: %#', (keys, message) => {
  expect(() => createPushKeyRing(keys)).toThrow(new TypeError(message))
})

test('shows no key', () => {
  expect(inspect(old, { depth: 9, showHidden: true })).not.toMatch(/\b1, 1, 1\b|01 01/)
})
