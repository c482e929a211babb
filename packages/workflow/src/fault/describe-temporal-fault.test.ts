import { describe, expect, test } from 'vitest'
import { describeTemporalFault } from './describe-temporal-fault.js'
import { faultOf } from './fault-sentences.js'

const options = { address: 'temporal.example:7233', namespace: 'shop' }
const where = 'Temporal at temporal.example:7233 (namespace shop)'
const pair = { crt: new Uint8Array(), key: new Uint8Array() }

/** As grpc-js says that there is no connection. */
function unconnected(last: string): object {
  return { code: 14, message: `14 UNAVAILABLE: No connection established. Last error: ${last}. Resolution note: ` }
}

/** As the worker's own connection says it. */
function native(last: string): Error {
  return new Error(`tonic::transport::Error(Transport, ConnectError(${last}))`)
}

// The errors are those of the two clients of SDK 1.24, on Node 20.
describe('describeTemporalFault', () => {
  test.each<[string, unknown, string, RegExp]>([
    ['a refused connection', unconnected('Error: connect ECONNREFUSED 127.0.0.1:1'), 'unreachable', /nothing listens there: start it/],
    ['a refused connection of the worker', native('Os { kind: ConnectionRefused }'), 'unreachable', /nothing listens there/],
    [
      'a name that does not resolve',
      { code: 14, message: '14 UNAVAILABLE: Name resolution failed for target dns:x.invalid:7233' },
      'unreachable',
      /host name does not resolve: correct temporal\.address/,
    ],
    ['a silent host', { code: 4, message: '4 DEADLINE_EXCEEDED: Deadline exceeded after 4.001s' }, 'unreachable', /does not answer/],
    ['another service', { code: 12, message: '12 UNIMPLEMENTED: unknown service' }, 'unreachable', /something else than Temporal/],
    [
      'a web server behind TLS',
      unconnected('Error: error:0A000460:SSL routines:ssl3_read_bytes:tlsv1 alert no application protocol'),
      'unreachable',
      /something else than Temporal/,
    ],
    [
      'a web server behind TLS, of the worker',
      native('AlertReceived(NoApplicationProtocol)'),
      'unreachable',
      /something else than Temporal/,
    ],
    ['a server in trouble', { code: 14, message: '14 UNAVAILABLE: shutting down' }, 'unreachable', /cannot answer at the moment/],
    ['what is no error at all', undefined, 'unreachable', /cannot answer at the moment/],
    [
      'a missing namespace',
      { code: 5, message: '5 NOT_FOUND: Namespace shop is not found.' },
      'namespace',
      /create it with "temporal operator namespace create -n shop", or correct temporal\.namespace/,
    ],
    [
      'missing credentials',
      { code: 16, message: '16 UNAUTHENTICATED: Request unauthorized.' },
      'credentials',
      /none are set: set temporal\.apiKey/,
    ],
    [
      'a missing client certificate',
      unconnected('error:0A00045C:SSL routines:ssl3_read_bytes:tlsv13 alert certificate required'),
      'credentials',
      /asks for a client certificate: set temporal\.tls\.clientCertPair/,
    ],
    [
      'TLS where there is none',
      unconnected('Error: error:0A00010B:SSL routines:ssl3_get_record:wrong version number'),
      'tls',
      /speaks no TLS and is called with it: unset temporal\.tls/,
    ],
    ['TLS where there is none, of the worker', native('InvalidMessage(InvalidContentType)'), 'tls', /speaks no TLS/],
    [
      'an unknown authority',
      unconnected('Error: self-signed certificate'),
      'tls',
      /not trusted: set temporal\.tls\.serverRootCACertificate/,
    ],
    ['an unknown authority of the worker', native('InvalidCertificate(UnknownIssuer)'), 'tls', /not trusted/],
    [
      'another host name',
      unconnected("Error [ERR_TLS_CERT_ALTNAME_INVALID]: Hostname/IP does not match certificate's altnames"),
      'tls',
      /for another host name: set temporal\.tls\.serverNameOverride/,
    ],
  ])('tells %s', (_, error, kind, sentence) => {
    const fault = describeTemporalFault(error, options)
    expect(fault.kind).toBe(kind)
    expect(fault.message.startsWith(`${where} `)).toBe(true)
    expect(fault.message).toMatch(sentence)
    expect(fault.message).not.toMatch(/gRPC|grpc|tonic|UNAVAILABLE|SSL|Error|\n/)
  })

  test.each([16, 7])('names the credential that is not taken (%d), and never shows it', (code) => {
    const byKey = describeTemporalFault({ code, message: 'no' }, { ...options, apiKey: 'swordfish' })
    expect(byKey).toMatchObject({ kind: 'credentials', message: expect.stringContaining('this API key: correct temporal.apiKey') })
    expect(byKey.message).not.toContain('swordfish')
    const byCertificate = describeTemporalFault({ code, message: 'no' }, { ...options, tls: { clientCertPair: pair } })
    expect(byCertificate.message).toContain('this client certificate: correct temporal.tls.clientCertPair')
  })

  test.each([
    [{ address: 'temporal.example' }, 'temporal.example:7233'],
    [{ address: '[::1]' }, '[::1]:7233'],
    [{ address: '[::1]:1234' }, '[::1]:1234'],
  ])('names the port, also where none is set (%#)', (place, address) => {
    expect(describeTemporalFault(undefined, place).message).toMatch(`Temporal at ${address} (namespace default)`)
  })

  test('names the folder of an engine of this deployment, and no setting, while it is away', () => {
    const embedded = { address: '127.0.0.1:7233', embeddedIn: '/srv/moorage' }
    const fault = { kind: 'unreachable', message: 'the engine of /srv/moorage is away; it is waited for' }
    for (const error of [unconnected('Error: connect ECONNREFUSED 127.0.0.1:7233'), { code: 4, message: 'Deadline exceeded' }]) {
      expect(describeTemporalFault(error, embedded)).toEqual(fault)
    }
    expect(describeTemporalFault({ code: 5, message: 'no' }, embedded).message).toContain('Temporal at 127.0.0.1:7233')
  })

  test('names the version that is too old', () => {
    expect(faultOf('old', options, '1.24.2')).toEqual({
      kind: 'version',
      message: `${where} is version 1.24.2 and 1.29 is the oldest that works: update it`,
    })
  })
})
