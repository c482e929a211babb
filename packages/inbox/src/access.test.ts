import { ANONYMOUS, type ParticipantRole, type Participation, type Principal } from '@moorage/store'
import { expect, test } from 'vitest'
import { type Access, type Decision, decide } from './access.js'

const member = (...roles: readonly string[]): readonly Participation[] =>
  roles.map((role) => ({ participant: 'anonymous', role: role as ParticipantRole }))
const ACCESSES = ['read', 'send', 'cancel', 'push-config', 'authorize'] as const satisfies readonly Access[]

function decisions(participants: readonly Participation[], principal: Principal = ANONYMOUS, agent = 'a'): readonly Decision[] {
  return ACCESSES.map((access) => decide(principal, agent, access, { agent: 'a', tenant: '', participants }))
}

const ALL = ['allow', 'allow', 'allow', 'allow', 'allow']
const NOTHING = ['not-found', 'not-found', 'not-found', 'not-found', 'not-found']

test.each<[string, readonly Participation[], readonly string[]]>([
  ['an admin', member('admin'), ALL],
  ['a reporter', member('reporter'), ALL],
  ['an assignee', member('assignee'), ['allow', 'allow', 'allow', 'allow', 'role']],
  ['a watcher', member('watcher'), ['allow', 'role', 'role', 'role', 'role']],
  ['a watcher who is admin too', member('watcher', 'admin'), ALL],
  ['an assignee who watches too', member('watcher', 'assignee'), ['allow', 'allow', 'allow', 'allow', 'role']],
  ['a stranger', [{ participant: 'bob', role: 'admin' }], NOTHING],
  ['a role that it does not know', member('owner'), NOTHING],
  ['the name of a thing that every object has', member('toString', '__proto__'), NOTHING],
  ['a role that it does not know, beside one that it does', member('owner', 'watcher'), ['allow', 'role', 'role', 'role', 'role']],
])('decides for %s', (_who, participants, expected) => {
  expect(decisions(participants)).toEqual(expected)
})

test('knows no task of another agent or tenant', () => {
  expect(decisions(member('admin'), ANONYMOUS, 'b')).toEqual(NOTHING)
  expect(decisions(member('admin'), { ...ANONYMOUS, tenant: 't' })).toEqual(NOTHING)
})

test('knows no task for nobody, whatever the task says', () => {
  const nobody = { ...ANONYMOUS, participant: '' }
  expect(decisions([{ participant: '', role: 'admin' }], nobody)).toEqual(NOTHING)
})

test('grants nothing for an access that it does not know', () => {
  const access = { agent: 'a', tenant: '', participants: member('admin') }
  for (const unknown of ['delete', 'toString', '__proto__', '']) expect(decide(ANONYMOUS, 'a', unknown as Access, access)).toBe('not-found')
})

test('takes names that only look the same for two', () => {
  const participants: readonly Participation[] = [{ participant: 'anonymous', role: 'admin' }]
  for (const participant of ['\u0430nonymous', 'Anonymous', 'anonymous ', 'anonymous\u200b'])
    expect(decisions(participants, { ...ANONYMOUS, participant })).toEqual(NOTHING)
})
