import { parse } from 'hono/utils/cookie'
import { checkOptions, oneOf, type Rule } from '../option-rules.js'
import type { AuthenticationRequest } from './authentication-request.js'
import { type Authentication, type Authenticator, defineAuthenticator } from './authenticator.js'

/** One key and who has it. The key itself is nowhere: only its digest, which `digestApiKey` makes. */
export interface ApiKey extends Authentication {
  /** The SHA-256 of the key, in hex. */
  readonly digest: string
  readonly subject: string
}

export interface ApiKeysOptions {
  /** At least one; several of one subject let its keys rotate. */
  readonly keys: readonly ApiKey[]
  /** Where a caller puts its key. @default 'header' */
  readonly location?: 'header' | 'query' | 'cookie'
  /** The name of the header, the parameter or the cookie. @default 'X-API-Key' */
  readonly name?: string
  /** The name of the scheme on the card. @default 'apiKey' */
  readonly scheme?: string
}

const DIGEST = /^[0-9a-f]{64}$/

const TEXT: Rule = { must: 'be a non-empty string', holds: (value) => typeof value === 'string' && value !== '' }
const RULES: Readonly<Record<keyof ApiKeysOptions, Rule>> = {
  keys: { must: 'be a list of at least one key', holds: (value) => Array.isArray(value) && value.length > 0 },
  location: oneOf('header', 'query', 'cookie'),
  name: { must: 'be a name of letters, digits, "_" and "-"', holds: (value) => /^[\w-]+$/.test(String(value)) },
  scheme: TEXT,
}

/** The digest of an API key, as `apiKeys` takes it. Keys must be random, of at least 128 bits: a digest does not protect a word. */
export async function digestApiKey(key: string): Promise<string> {
  return Array.from(await sha256(key), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Knows callers by an API key. A key is compared with all digests, whichever fits, in the same time.
 * @throws TypeError that names the option which is wrong
 */
export function apiKeys(options: ApiKeysOptions): Authenticator {
  const { keys, location = 'header', name = 'X-API-Key', scheme = 'apiKey' } = checked(options)
  const known = keys.map(({ digest, ...authentication }) => ({ digest: bytesOf(digest), authentication }))
  return defineAuthenticator({
    schemes: { [scheme]: { apiKeySecurityScheme: { location, name } } },
    async authenticate(request) {
      const [key = '', ...others] = given(request, location, name)
      if (key === '') return undefined
      if (others.length > 0) return { rejected: 'several API keys' }
      const digest = await sha256(key)
      const [found] = known.filter((entry) => equal(entry.digest, digest))
      return found?.authentication ?? { rejected: 'an unknown API key' }
    },
  })
}

/** What means something else in a request already: a key there would be taken for it, and recorded as it. */
const TAKEN: Readonly<Record<string, RegExp>> = {
  header:
    /^(?:authorization|cookie|host|connection|accept.*|content-.*|a2a-.*|x-a2a-.*|x-participant-id|last-event-id|origin|user-agent)$/i,
  query: /^(?:tenant|id|a2a-version|contextId|status|statusTimestampAfter|pageSize|pageToken|historyLength|includeArtifacts)$/i,
}

function checked(options: ApiKeysOptions): ApiKeysOptions {
  checkOptions('apiKeys', RULES, ['keys'], options)
  const { location = 'header', name = 'X-API-Key' } = options
  if (TAKEN[location]?.test(name)) throw new TypeError(`apiKeys: name must be another one: ${name} means something else in a request`)
  for (const [index, { digest, subject }] of options.keys.entries()) {
    const where = `apiKeys: keys[${index}].`
    if (!DIGEST.test(digest)) throw new TypeError(`${where}digest must be a SHA-256 in hex, as digestApiKey makes it`)
    if (!TEXT.holds(subject)) throw new TypeError(`${where}subject must ${TEXT.must}`)
    const first = options.keys.findIndex((other) => other.digest === digest)
    if (first !== index) throw new TypeError(`${where}digest is the one of keys[${first}] too: one key is one caller's`)
  }
  return options
}

function given({ headers, query }: AuthenticationRequest, location: string, name: string): readonly string[] {
  if (location === 'query') return query.getAll(name)
  const value = location === 'header' ? headers.get(name) : parse(headers.get('Cookie') ?? '', name)[name]
  return value === null || value === undefined ? [] : [value]
}

/** Looks at every byte, so that the time tells nothing of where two digests differ. */
function equal(one: Uint8Array, other: Uint8Array): boolean {
  return one.reduce((difference, byte, index) => difference | (byte ^ (other[index] ?? 0)), one.length ^ other.length) === 0
}

async function sha256(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}
