import { expect, it } from 'vitest'
import { z } from 'zod'
import { optional, secret } from './config-variable.js'
import { configuredSecrets, secretTexts } from './configured-secrets.js'

const TABLE = {
  DATABASE_URL: secret('', '', z.string()),
  KEYS: secret('', '', z.string()),
  JWKS: secret('', '', z.string()),
  OPEN: optional('', '', z.string()),
}

it('finds what is secret in the variables that are, and nothing in the others', () => {
  const env = {
    DATABASE_URL: 'postgres://app:s3cr%40et-1@db/moorage',
    KEYS: 'one:a2V5LW9uZQ==, two:a2V5LXR3bw==',
    JWKS: JSON.stringify({ keys: [{ kid: 'public-kid', x: 'public-member', d: 'private-member' }] }),
    OPEN: 'not-a-secret',
    TEMPORAL_API_KEY: 'temporal-key',
  }
  expect(configuredSecrets(env, TABLE)).toEqual([
    's3cr%40et-1',
    's3cr@et-1',
    'one:a2V5LW9uZQ==',
    'a2V5LW9uZQ==',
    'two:a2V5LXR3bw==',
    'a2V5LXR3bw==',
    'private-member',
    'temporal-key',
  ])
})

it('leaves out a password that is the name of its user, and what is too short to be looked for', () => {
  const env = { DATABASE_URL: 'postgres://postgres:postgres@db/x', KEYS: 'abc', JWKS: '{"no": "keys"}' }
  expect(configuredSecrets(env, TABLE)).toEqual([])
})

it('reads a list of secrets, each long enough', () => {
  expect(secretTexts.parse('first secret, second')).toEqual(['first secret', 'second'])
  expect(secretTexts.safeParse('first secret,abc').error?.issues[0]?.message).toMatch(/^must be texts .*entry 2 is shorter$/)
})
