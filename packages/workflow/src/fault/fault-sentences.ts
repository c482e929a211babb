import { addressOf, namespaceOf, type TemporalOptions } from '../temporal-options.js'
import type { TemporalFault, TemporalFaultKind } from './temporal-fault.js'

/** The oldest server that has what workers and wakes use. */
export const OLDEST_VERSION: readonly [number, number] = [1, 29]

const ADDRESS = 'temporal.address (TEMPORAL_ADDRESS)'
const NAMESPACE = 'temporal.namespace (TEMPORAL_NAMESPACE)'
const API_KEY = 'temporal.apiKey (TEMPORAL_API_KEY)'
const CERTIFICATE = 'temporal.tls.clientCertPair (TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH)'
const TLS = 'temporal.tls (TEMPORAL_TLS)'
const CA = 'temporal.tls.serverRootCACertificate (TEMPORAL_TLS_SERVER_CA_CERT_PATH)'
const SERVER_NAME = 'temporal.tls.serverNameOverride (TEMPORAL_TLS_SERVER_NAME)'

/** Everything that can be wrong between a process and Temporal, as far as it can be told apart. */
export type Finding =
  | 'refused'
  | 'unresolved'
  | 'silent'
  | 'dropped'
  | 'failing'
  | 'not-temporal'
  | 'no-namespace'
  | 'old'
  | 'unauthenticated'
  | 'forbidden'
  | 'client-certificate'
  | 'wants-tls'
  | 'speaks-no-tls'
  | 'untrusted'
  | 'wrong-name'
  | 'handshake'

interface Place {
  readonly where: string
  readonly namespace: string
  readonly hasKey: boolean
  readonly hasCertificate: boolean
  readonly detail: string
}

type Sentence = readonly [TemporalFaultKind, (place: Place) => string]

const SENTENCES: Readonly<Record<Finding, Sentence>> = {
  refused: ['unreachable', ({ where }) => `${where} cannot be reached, since nothing listens there: start it, or correct ${ADDRESS}`],
  unresolved: ['unreachable', ({ where }) => `${where} cannot be reached, since the host name does not resolve: correct ${ADDRESS}`],
  silent: ['unreachable', ({ where }) => `${where} does not answer: see whether it runs, whether a firewall is in the way, and ${ADDRESS}`],
  dropped: ['unreachable', ({ where }) => `${where} closes every connection: see whether it is Temporal, its own log, and ${ADDRESS}`],
  failing: ['unreachable', ({ where }) => `${where} cannot answer at the moment: see its own log`],
  'not-temporal': ['unreachable', ({ where }) => `${where} is something else than Temporal: correct ${ADDRESS}`],
  'no-namespace': [
    'namespace',
    ({ where, namespace }) =>
      `${where} does not have this namespace: create it with "temporal operator namespace create -n ${namespace}", or correct ${NAMESPACE}`,
  ],
  old: [
    'version',
    ({ where, detail }) => `${where} is version ${detail} and ${OLDEST_VERSION.join('.')} is the oldest that works: update it`,
  ],
  unauthenticated: ['credentials', (place) => refusedKey(place, 'does not know')],
  forbidden: ['credentials', (place) => refusedKey(place, 'gives no access with')],
  'client-certificate': [
    'credentials',
    ({ where, hasCertificate }) =>
      hasCertificate
        ? `${where} does not take the client certificate: correct ${CERTIFICATE}`
        : `${where} asks for a client certificate: set ${CERTIFICATE}`,
  ],
  'wants-tls': ['tls', ({ where }) => `${where} speaks TLS and is called without it: set ${TLS}`],
  'speaks-no-tls': ['tls', ({ where }) => `${where} speaks no TLS and is called with it: unset ${TLS}, which an API key sets too`],
  untrusted: [
    'tls',
    ({ where }) => `${where} has a certificate that is not trusted: set ${CA} to the authority that signed it, or renew it`,
  ],
  'wrong-name': [
    'tls',
    ({ where }) => `${where} has a certificate for another host name: set ${SERVER_NAME} to that name, or correct ${ADDRESS}`,
  ],
  handshake: ['tls', ({ where }) => `${where} cannot be reached by TLS: correct ${TLS} and its certificates`],
}

/** The fault in words. `detail` is the version of a server that is too old. */
export function faultOf(finding: Finding, options: TemporalOptions, detail = ''): TemporalFault {
  const { embeddedIn, apiKey, tls } = options
  const namespace = namespaceOf(options)
  const [kind, sentence] = SENTENCES[finding]
  // Its address is nobody's choice, and whoever started it starts it again.
  if (embeddedIn !== undefined && kind === 'unreachable') return { kind, message: `the engine of ${embeddedIn} is away; it is waited for` }
  const place: Place = {
    where: `Temporal at ${addressOf(options)} (namespace ${namespace})`,
    namespace,
    hasKey: apiKey !== undefined,
    hasCertificate: typeof tls === 'object' && tls.clientCertPair !== undefined,
    detail,
  }
  return { kind, message: sentence(place) }
}

function refusedKey({ where, hasKey, hasCertificate }: Place, verb: string): string {
  if (hasKey) return `${where} ${verb} this API key: correct ${API_KEY}, or give it access to the namespace`
  if (hasCertificate) return `${where} ${verb} this client certificate: correct ${CERTIFICATE}, or give it access to the namespace`
  return `${where} asks for credentials and none are set: set ${API_KEY} or ${CERTIFICATE}`
}
