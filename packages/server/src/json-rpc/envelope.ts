import { Refusal } from '../errors.js'

export type RequestId = string | number

export interface Envelope {
  readonly id: RequestId
  readonly method: string
  readonly params: unknown
}

/** An id is echoed in every event of a stream. */
const LONGEST_ID = 256

/**
 * Reads a JSON-RPC 2.0 request. A batch is none, nor is a notification: every operation of A2A has an answer.
 * @throws Refusal that says what is wrong
 */
export function parseEnvelope(body: unknown): Envelope {
  if (Array.isArray(body)) throw invalid('send one request, not a batch')
  if (typeof body !== 'object' || body === null) throw invalid('send a JSON object')
  const { jsonrpc, id, method, params } = body as Record<string, unknown>
  if (jsonrpc !== '2.0') throw invalid('jsonrpc must be "2.0"')
  // A larger number could not be echoed as it came.
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) throw invalid('id must be a string or an integer')
  if (typeof id === 'string' && id.length > LONGEST_ID) throw invalid(`id must have at most ${LONGEST_ID} characters`)
  if (typeof method !== 'string') throw invalid('method must be a string')
  return { id: id as RequestId, method, params }
}

function invalid(reason: string): Refusal {
  return new Refusal('InvalidRequest', { message: `Request payload validation error: ${reason}` })
}
