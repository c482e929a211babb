import type { TemporalOptions } from '../temporal-options.js'
import { type Finding, faultOf } from './fault-sentences.js'
import type { TemporalFault } from './temporal-fault.js'

/** gRPC's own status codes. */
const DEADLINE_EXCEEDED = 4
const NOT_FOUND = 5
const PERMISSION_DENIED = 7
const UNIMPLEMENTED = 12
const UNAUTHENTICATED = 16

const BY_CODE: ReadonlyMap<unknown, Finding> = new Map<unknown, Finding>([
  [DEADLINE_EXCEEDED, 'silent'],
  [NOT_FOUND, 'no-namespace'],
  [PERMISSION_DENIED, 'forbidden'],
  [UNIMPLEMENTED, 'not-temporal'],
  [UNAUTHENTICATED, 'unauthenticated'],
])

/** What the two clients say of a connection that does not come about: grpc-js in OpenSSL's and Node's words, the worker's in those of Rust. */
const BY_WORDS: readonly (readonly [RegExp, Finding])[] = [
  [/ECONNREFUSED|ConnectionRefused/, 'refused'],
  [/Name resolution failed|ENOTFOUND|EAI_AGAIN|dns error/, 'unresolved'],
  [/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|TimedOut|Unreachable/, 'silent'],
  [/ALTNAME_INVALID|altnames|NotValidForName/, 'wrong-name'],
  [/no.?application.?protocol|H2NotNegotiated/i, 'not-temporal'],
  [/alert (?:certificate|bad certificate|unknown ca|handshake failure|access denied)|AlertReceived\(/i, 'client-certificate'],
  [/self.signed|unable to (?:get|verify)|certificate has expired|not yet valid|InvalidCertificate/i, 'untrusted'],
  [/wrong version number|packet length too long|http request|InvalidContentType/i, 'speaks-no-tls'],
  [/SSL routines|EPROTO|disconnected before secure TLS|InvalidMessage|HandshakeFailure/, 'handshake'],
]

/** What grpc-js says of a server that speaks no HTTP/2, or closes at once: before it is believed, a handshake has to show that it wants no TLS. */
const BY_WORDS_BESIDES_TLS: typeof BY_WORDS = [
  [/Protocol error/, 'not-temporal'],
  [/Failed to connect|ECONNRESET/, 'dropped'],
]

/** What an error says of Temporal; undefined where it says only that there is no connection, as it may for want of TLS. */
export function findingOf(error: unknown): Finding | undefined {
  if (typeof error !== 'object' || error === null) return undefined
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  return BY_CODE.get(code) ?? wordsOf(BY_WORDS, message)
}

/** What an error that says nothing else says of a server with which TLS is in order. */
export function findingBesidesTls(error: unknown): Finding {
  return wordsOf(BY_WORDS_BESIDES_TLS, (error as { readonly message?: unknown }).message) ?? 'failing'
}

function wordsOf(table: typeof BY_WORDS, message: unknown): Finding | undefined {
  return table.find(([words]) => words.test(String(message)))?.[1]
}

/** Says in words of its own what an error of Temporal's clients means; one that says nothing more counts as a server that cannot answer. */
export function describeTemporalFault(error: unknown, options: TemporalOptions): TemporalFault {
  return faultOf(findingOf(error) ?? 'failing', options)
}
