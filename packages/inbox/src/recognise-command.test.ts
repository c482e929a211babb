import type { PartJson } from '@moorage/protocol'
import { expect, test } from 'vitest'
import { recogniseCommand } from './recognise-command.js'

const commands = new Set(['status', 'go'])
const recognise = (...parts: PartJson[]) => recogniseCommand({ messageId: 'm', role: 'ROLE_USER', parts }, commands)

test.each([
  ['/status', { name: 'status', args: '' }],
  ['/go  to the  north ', { name: 'go', args: 'to the  north' }],
  ['/go\nnorth\nwest', { name: 'go', args: 'north\nwest' }],
  ['  /status\n', { name: 'status', args: '' }],
])('recognises %j', (text, expected) => {
  expect(recognise({ text })).toEqual(expected)
})

test.each(['status', '/stat', '/statusquo', '/unknown', 'please /status', '/', '//status'])('takes %j for an ordinary message', (text) => {
  expect(recognise({ text })).toBeUndefined()
})

test('takes a message of several parts, or of another kind of part, for an ordinary one', () => {
  expect(recognise({ text: '/status' }, { text: 'more' })).toBeUndefined()
  expect(recognise({ data: '/status' })).toBeUndefined()
})
