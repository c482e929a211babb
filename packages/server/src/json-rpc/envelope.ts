import { Refusal } from '../errors.js'

export type RequestId = string | number

export interface Envelope {
  readonly id: RequestId
  readonly method: string
  readonly params: unknown
}

/** An id is echoed in every event of a stream. */
const LONGEST_ID = 256

/** The id of what claims to be a request, or null where none can be read: an error has it too, whatever else is wrong (JSON-RPC 2.0 §5). */
export function readId(body: unknown): RequestId | null {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return null
  const { id } = body as Record<string, unknown>
  return idFault(id) === undefined ? (id as RequestId) : null
}

/**
 * Reads a JSON-RPC 2.0 request. A batch is none, nor is a notification: every operation of A2A has an answer.
 * @throws Refusal that says what is wrong
 */
export function parseEnvelope(body: unknown): Envelope {
  if (Array.isArray(body)) throw invalid('send one request, not a batch')
  if (typeof body !== 'object' || body === null) throw invalid('send a JSON object')
  const { jsonrpc, id, method, params } = body as Record<string, unknown>
  if (jsonrpc !== '2.0') throw invalid('jsonrpc must be "2.0"')
  const fault = idFault(id)
  if (fault !== undefined) throw invalid(fault)
  if (typeof method !== 'string') throw invalid('method must be a string')
  return { id: id as RequestId, method, params }
}

function idFault(id: unknown): string | undefined {
  // A larger number could not be echoed as it came.
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return 'id must be a string or an integer'
  return typeof id === 'string' && id.length > LONGEST_ID ? `id must have at most ${LONGEST_ID} characters` : undefined
}

function invalid(reason: string): Refusal {
  return new Refusal('InvalidRequest', { message: `Request payload validation error: ${reason}` })
}
