import pg from 'pg'
import { expect, it } from 'vitest'
import { faultOf } from './database-error.js'

function errorOf(code: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError('no', 2, 'error'), { code })
}

it.each([
  ['25P04', 'connection', 'a transaction that took longer than the server allows'],
  ['26000', 'connection', 'a prepared statement that another backend has'],
  ['42P05', 'connection', 'a prepared statement that this backend has from another client'],
  ['57014', 'conflict', 'a statement that was canceled'],
  ['57P01', 'connection', 'a server that stops'],
  ['23505', 'duplicate', 'a key that is taken'],
  ['53100', 'unavailable', 'a full disk'],
  ['42601', undefined, 'a mistake in a statement'],
] as const)('takes %s for a fault of kind %s: %s', (code, fault, _when) => {
  expect(faultOf(errorOf(code))).toBe(fault)
})
