import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { says } from '../messages.js'
import { scenario } from '../scenario.js'
import { expectError } from '../wire/expect-error.js'

scenario('what is too deep or too much is refused with its place', ['SEC-06', 'ERR-13'], async ({ client, binding }) => {
  const deep = JSON.parse(`${'['.repeat(70)}${']'.repeat(70)}`)
  expectError(await client.refusal('SendMessage', says('', { parts: [{ data: deep }] })), binding, 'INVALID_PARAMS')
  const parts = Array.from({ length: 101 }, () => ({ text: 'a' }))
  expectError(await client.refusal('SendMessage', says('', { parts })), binding, 'INVALID_PARAMS', ['message.parts'])
})

scenario(
  'a body that is too large is refused before it is read',
  ['SEC-06', 'ERR-16'],
  { profile: 'limited-body' },
  async ({ client, binding }) => {
    const error = await client.refusal('SendMessage', says('a'.repeat(5000)))
    expectError(error, binding, 'TOO_LARGE')
  },
)

scenario(
  'a peer that is too fast is told when to come again',
  ['SEC-08', 'ERR-16'],
  { profile: 'limited-rate' },
  async ({ client, binding }) => {
    for (let request = 1; request <= 10; request++) await client.call('ListTasks')
    const error = await client.refusal('ListTasks')
    expectError(error, binding, 'TOO_FAST')
    expect(Number(error.headers.get('Retry-After'))).toBeGreaterThan(0)
  },
)

const documentation = (name: string) => readFile(new URL(`../../../../${name}`, import.meta.url), 'utf8')

scenario('the documentation says that TLS belongs before the server', ['SEC-01'], { on: ['host'] }, async () => {
  expect(await documentation('SECURITY.md')).toMatch(/a proxy with TLS before the agents/)
})

scenario('the documentation says what is kept, and for how long', ['SEC-09'], { on: ['host'] }, async () => {
  expect(await documentation('README.md')).toMatch(/30 days after it ended \| `MOORAGE_RETENTION_TASKS_DAYS`/)
})
