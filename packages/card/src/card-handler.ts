import type { AgentCardJson } from '@moorage/protocol'
import { entityTag } from './entity-tag.js'

/** Path of the card under the root of its host (A2A §8.2). */
export const AGENT_CARD_PATH = '/.well-known/agent-card.json'

export interface CardHandlerOptions {
  /** How long clients may keep the card without asking again. @default 300 */
  readonly maxAgeSeconds?: number
  /** When the card last changed. @default now */
  readonly lastModified?: Date
}

/**
 * Answers GET and HEAD with the card, or with 304 to who has it already (RFC 9110 §13); other methods get 405.
 * Body and headers are made once, here.
 * @throws {TypeError} naming the option that is wrong
 */
export function createCardHandler(card: AgentCardJson, options: CardHandlerOptions = {}): (request: Request) => Response {
  const { maxAgeSeconds = 300, lastModified = new Date() } = options
  if (!Number.isSafeInteger(maxAgeSeconds) || maxAgeSeconds < 0) {
    throw new TypeError('createCardHandler: maxAgeSeconds must be an integer of at least 0')
  }
  if (Number.isNaN(lastModified.getTime())) throw new TypeError('createCardHandler: lastModified must be a valid Date')
  const body = new TextEncoder().encode(JSON.stringify(card))
  const etag = entityTag(body)
  const caching = { ETag: etag, 'Last-Modified': lastModified.toUTCString(), 'Cache-Control': `public, max-age=${maxAgeSeconds}` }
  const headers = { ...caching, 'Content-Type': 'application/json', 'Content-Length': String(body.byteLength) }

  return function agentCard(request) {
    if (request.method !== 'GET' && request.method !== 'HEAD') return new Response(null, { status: 405, headers: { Allow: 'GET, HEAD' } })
    if (isKnown(request.headers, etag, lastModified)) return new Response(null, { status: 304, headers: caching })
    return new Response(request.method === 'HEAD' ? null : body, { headers })
  }
}

/** Whether the client has this version: by If-None-Match where it is sent, else by If-Modified-Since, in whole seconds. */
function isKnown(headers: Headers, etag: string, lastModified: Date): boolean {
  const tags = headers.get('if-none-match')
  if (tags !== null) return tags.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')))
  const since = Date.parse(headers.get('if-modified-since') ?? '')
  return since >= Math.floor(lastModified.getTime() / 1000) * 1000
}
