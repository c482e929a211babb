import { ANONYMOUS, type Participation } from '@moorage/store'
import { expect, test } from 'vitest'
import { type Access, decide } from './access.js'

const member = (role: Participation['role']): Participation => ({ participant: 'anonymous', role })

test.each<[string, Participation[], Record<Access, string>]>([
  ['an admin', [member('admin')], { read: 'allow', send: 'allow', cancel: 'allow', 'push-config': 'allow' }],
  ['a reporter', [member('reporter')], { read: 'allow', send: 'allow', cancel: 'allow', 'push-config': 'allow' }],
  ['an assignee', [member('assignee')], { read: 'allow', send: 'allow', cancel: 'allow', 'push-config': 'allow' }],
  ['a watcher', [member('watcher')], { read: 'allow', send: 'role', cancel: 'role', 'push-config': 'role' }],
  [
    'a watcher who is admin too',
    [member('watcher'), member('admin')],
    { read: 'allow', send: 'allow', cancel: 'allow', 'push-config': 'allow' },
  ],
  [
    'a stranger',
    [{ participant: 'bob', role: 'admin' }],
    { read: 'not-found', send: 'not-found', cancel: 'not-found', 'push-config': 'not-found' },
  ],
])('decides for %s', (_who, participants, expected) => {
  for (const access of ['read', 'send', 'cancel', 'push-config'] as const) {
    expect(decide(ANONYMOUS, 'a', access, { agent: 'a', tenant: '', participants })).toBe(expected[access])
  }
})

test('knows no task of another agent or tenant', () => {
  const participants = [member('admin')]
  expect(decide(ANONYMOUS, 'a', 'read', { agent: 'b', tenant: '', participants })).toBe('not-found')
  expect(decide(ANONYMOUS, 'a', 'read', { agent: 'a', tenant: 't', participants })).toBe('not-found')
})
