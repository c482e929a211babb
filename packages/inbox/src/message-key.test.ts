import type { MessageJson } from '@moorage/protocol'
import { ANONYMOUS, type Principal } from '@moorage/store'
import { describe, expect, test } from 'vitest'
import { messageDigest, messageKey, taskIdFor } from './message-key.js'

const message: MessageJson = { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'hello' }] }
const digest = messageDigest(message)
const alice: Principal = { tenant: 't', subject: 'alice', participant: 'alice', claims: {} }
const identity = { agent: 'a', principal: alice, messageId: 'm1', digest }

describe('messageDigest', () => {
  test('does not depend on the order of fields', () => {
    expect(messageDigest({ parts: [{ text: 'hello' }], role: 'ROLE_USER', messageId: 'm1' })).toBe(digest)
  })

  test('depends on the content', () => {
    expect(messageDigest({ ...message, parts: [{ text: 'hello!' }] })).not.toBe(digest)
  })
})

describe('messageKey', () => {
  test('is the same for an authenticated sender whatever the content, so that a changed content is noticed', () => {
    expect(messageKey({ ...identity, digest: 'other' })).toBe(messageKey(identity))
  })

  test.each<Partial<typeof identity>>([
    { agent: 'b' },
    { messageId: 'm2' },
    { principal: { ...alice, subject: 'bob' } },
    { principal: { ...alice, participant: 'bob' } },
    { principal: { ...alice, tenant: 'u' } },
  ])('is another for %j', (change) => {
    expect(messageKey({ ...identity, ...change })).not.toBe(messageKey(identity))
  })

  test('counts the content of anonymous senders, who are many', () => {
    const anonymous = { ...identity, principal: ANONYMOUS }
    expect(messageKey(anonymous)).toBe(messageKey({ ...anonymous }))
    expect(messageKey({ ...anonymous, digest: 'other' })).not.toBe(messageKey(anonymous))
  })
})

describe('taskIdFor', () => {
  test('is the same for a retry and another in another store', () => {
    expect(taskIdFor('store1', identity)).toBe(taskIdFor('store1', { ...identity }))
    expect(taskIdFor('store1', identity)).not.toBe(taskIdFor('store2', identity))
    expect(taskIdFor('store1', identity)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5/)
  })
})
