import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkTemporalTls } from './temporal-tls.js'
import { temporaryFolder } from './temporary-folder.js'

/** Any key does: only its form is looked at. */
const KEY = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n'

describe('checkTemporalTls', () => {
  it.each(['true', 'false', '1', '0'])('takes TEMPORAL_TLS=%s', (value) => {
    expect(checkTemporalTls({ TEMPORAL_TLS: value })).toEqual([])
  })

  it('refuses what would silently mean "off"', () => {
    expect(checkTemporalTls({ TEMPORAL_TLS: 'maybe' })).toEqual(['TEMPORAL_TLS must be true or false; it is "maybe"'])
  })

  it('names every variable whose file is missing or no PEM', async () => {
    const letter = join(await temporaryFolder(), 'letter.txt')
    await writeFile(letter, 'Dear friend')
    expect(
      checkTemporalTls({
        TEMPORAL_TLS_CLIENT_CERT_PATH: '/nowhere/client.pem',
        TEMPORAL_TLS_CLIENT_KEY_DATA: KEY,
        TEMPORAL_TLS_SERVER_CA_CERT_PATH: letter,
      }),
    ).toEqual([
      'TEMPORAL_TLS_CLIENT_CERT_PATH names /nowhere/client.pem, which does not exist. Give the path of a certificate in PEM form, or unset it',
      `TEMPORAL_TLS_SERVER_CA_CERT_PATH must name a certificate in PEM form; ${letter} is none`,
    ])
  })

  it('refuses half a pair, and the same twice', () => {
    expect(checkTemporalTls({ TEMPORAL_TLS_CLIENT_KEY_DATA: KEY })).toEqual([
      'TEMPORAL_TLS_CLIENT_KEY_… is set without TEMPORAL_TLS_CLIENT_CERT_…: a client needs both, set the other one too',
    ])
    expect(checkTemporalTls({ TEMPORAL_TLS_SERVER_CA_CERT_PATH: '/ca.pem', TEMPORAL_TLS_SERVER_CA_CERT_DATA: 'x' })).toEqual([
      'TEMPORAL_TLS_SERVER_CA_CERT_PATH and TEMPORAL_TLS_SERVER_CA_CERT_DATA are both set: unset one of them',
    ])
  })
})
