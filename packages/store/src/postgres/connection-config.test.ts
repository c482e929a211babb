import pg from 'pg'
import { expect, it } from 'vitest'
import { connectionConfig } from './connection-config.js'
import { resolveSettings } from './settings.js'

const parse = (url: string) => connectionConfig(resolveSettings({ url, acceptDeadlineMs: 1235 }))
const tlsOf = (query: string) => new pg.Client(parse(`postgres://u:my-secret@db.example/d?${query}`).client).ssl as unknown

it('names the place without credentials', () => {
  expect(parse('postgres://u:my-secret@db.example:5433/moorage').place).toBe('db.example:5433/moorage')
  expect(parse('postgresql://u:my-secret@db.example/moorage').place).toBe('db.example:5432/moorage')
})

it('limits what the server may take', () => {
  const { client } = parse('postgres://u@db.example/d')
  const limits = ['connectionTimeoutMillis', 'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'] as const
  for (const limit of limits) expect(client[limit]).toBe(1235)
})

it('encrypts as libpq does: require verifies nobody, verify-full everything', () => {
  expect(tlsOf('')).toBe(false)
  expect(tlsOf('sslmode=disable')).toBe(false)
  expect(tlsOf('sslmode=require')).toEqual({ rejectUnauthorized: false })
  expect(tlsOf('sslmode=verify-full')).toEqual({})
})

it.each(['prefer', 'allow', 'no-verify', 'on', ''])('refuses sslmode=%s, which promises nothing', (mode) => {
  expect(() => tlsOf(`sslmode=${mode}`)).toThrow(`url has sslmode=${mode}, which must be one of disable, require, verify-ca, verify-full`)
})

it('refuses verify-ca without a root, and a root that is not there, without the password', () => {
  for (const query of ['sslmode=verify-ca', 'sslmode=verify-full&sslrootcert=/nowhere/root.crt']) {
    expect(() => tlsOf(query)).toThrow(/^url cannot be used: /)
    expect(() => tlsOf(query)).not.toThrow(/my-secret/)
  }
})

it.each(['', 'moorage', 'mysql://u:my-secret@h/d', 'postgres://[', 'postgres://u:my-secret@h:port/d'])(
  'refuses a url that is none (%s)',
  (url) => {
    expect(() => parse(url)).toThrow(/^url must be of the form/)
  },
)
