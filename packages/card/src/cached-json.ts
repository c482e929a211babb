import { entityTag } from './entity-tag.js'

export interface CachingOptions {
  /** How long clients may keep the answer without asking again. @default 300 */
  readonly maxAgeSeconds?: number
  /** When the content last changed. @default now */
  readonly lastModified?: Date
}

/** The caching options with their defaults. @throws {TypeError} naming the option that is wrong */
export function resolveCaching(
  caller: string,
  { maxAgeSeconds = 300, lastModified = new Date() }: CachingOptions,
): Required<CachingOptions> {
  if (!Number.isSafeInteger(maxAgeSeconds) || maxAgeSeconds < 0) {
    throw new TypeError(`${caller}: maxAgeSeconds must be an integer of at least 0`)
  }
  if (Number.isNaN(lastModified.getTime())) throw new TypeError(`${caller}: lastModified must be a valid Date`)
  return { maxAgeSeconds, lastModified }
}

/** What is said of a document besides how long it may be kept. */
export interface CachedJsonOptions extends CachingOptions {
  readonly contentType: string
  /** The request header that chooses between forms of the document. */
  readonly vary?: string | undefined
}

const ALLOW = 'GET, HEAD, OPTIONS'

/** Everyone may read it, from any page (Fetch, §3.2). A `*` does not cover Authorization. */
const CROSS_ORIGIN = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'ETag' }
const PREFLIGHT = {
  ...CROSS_ORIGIN,
  'Access-Control-Allow-Methods': ALLOW,
  'Access-Control-Allow-Headers': '*, Authorization',
  'Access-Control-Max-Age': '86400',
}

/**
 * A public document for any page: answers GET and HEAD with the value, or with 304 to who has it already (RFC 9110 §13), and OPTIONS; other
 * methods get 405. Body and headers are made once, here.
 * @throws {TypeError} naming the option that is wrong
 */
export function cachedJson(value: unknown, { contentType, vary, ...caching }: CachedJsonOptions): (request: Request) => Response {
  const { lastModified, maxAgeSeconds } = resolveCaching('cachedJson', caching)
  const body = new TextEncoder().encode(JSON.stringify(value))
  const etag = entityTag(body)
  const known = {
    ...CROSS_ORIGIN,
    ETag: etag,
    'Last-Modified': lastModified.toUTCString(),
    'Cache-Control': `public, max-age=${maxAgeSeconds}`,
    ...(vary !== undefined && { Vary: vary }),
  }
  const headers = { ...known, 'Content-Type': contentType, 'Content-Length': String(body.byteLength) }

  return function cachedJson(request) {
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: { Allow: ALLOW, ...PREFLIGHT } })
    if (request.method !== 'GET' && request.method !== 'HEAD') return new Response(null, { status: 405, headers: { Allow: ALLOW } })
    if (isKnown(request.headers, etag, lastModified)) return new Response(null, { status: 304, headers: known })
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
