import { isLoopback } from '@moorage/bootstrap'
import { type ApiKey, apiKeys, jwtBearer, trustedPerimeter } from '@moorage/server/authentication'
import { z } from 'zod'

/** Where a caller puts its API key. */
export interface ApiKeyPlace {
  readonly location: 'header' | 'query' | 'cookie'
  readonly name: string
}

export const jwksUrl: z.ZodType<URL, string> = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, '')))) return url
  context.addIssue('must be an https URL, or an http one on this machine, such as https://login.example/.well-known/jwks.json')
  return z.NEVER
})

export const jwtAlgorithms: z.ZodType<readonly string[], string> = z.string().transform((text, context) => {
  const algorithms = entriesOf(text)
  const options = { issuer: 'a', audience: 'a', jwks: { keys: [{ kty: 'OKP' }] }, algorithms }
  const fault = faultOf(() => jwtBearer(options as Parameters<typeof jwtBearer>[0]))
  if (fault !== undefined) context.addIssue(fault.replace('jwtBearer: algorithms ', ''))
  return algorithms
})

const KEY_FORM =
  'must be subject:hash or subject@tenant:hash with commas between them, each hash the SHA-256 of a key in hex: printf %s "$KEY" | sha256sum'

/** The messages show subjects, and nothing of keys: what is no hash may be the key itself. */
export const apiKeyList: z.ZodType<readonly ApiKey[], string> = z.string().transform((text, context) => {
  const keys: ApiKey[] = []
  for (const [index, entry] of entriesOf(text).entries()) {
    const fault = addKey(keys, entry)
    if (fault !== undefined) context.addIssue(`${KEY_FORM}; entry ${index + 1} ${fault}`)
  }
  return keys
})

function addKey(keys: ApiKey[], entry: string): string | undefined {
  const colon = entry.lastIndexOf(':')
  const [caller, digest] = [entry.slice(0, Math.max(colon, 0)), entry.slice(colon + 1).toLowerCase()]
  if (caller === '') return 'is no such pair'
  const at = caller.lastIndexOf('@')
  const [subject, tenant] = at < 0 ? [caller, ''] : [caller.slice(0, at), caller.slice(at + 1)]
  if (subject === '' || subject.length > 256 || subject === 'anonymous')
    return 'names no subject: 1 to 256 characters, other than anonymous'
  if (!/^[0-9a-f]{64}$/.test(digest)) return `(${subject}) has no SHA-256 in hex, which is 64 of 0-9 and a-f`
  if (keys.some((key) => key.digest === digest)) return `(${subject}) has the key of another entry: one key is one caller's`
  keys.push({ subject, tenant, digest })
  return undefined
}

export const apiKeyPlace: z.ZodType<ApiKeyPlace, string> = z.string().transform((text, context) => {
  const [, location, name] = /^(header|query|cookie):([\w-]+)$/.exec(text.trim()) ?? []
  if (location !== undefined && name !== undefined) {
    const place = { location: location as ApiKeyPlace['location'], name }
    const fault = faultOf(() => apiKeys({ ...place, keys: [{ digest: '0'.repeat(64), subject: 'a' }] }))
    if (fault === undefined) return place
    context.addIssue(`must name another place: ${name} means something else in a request`)
    return z.NEVER
  }
  context.addIssue('must be header:NAME, query:NAME or cookie:NAME, with a name of letters, digits, "_" and "-"')
  return z.NEVER
})

export const perimeterHeader: z.ZodType<string, string> = z
  .string()
  .regex(/^[\w-]+$/, 'must be the name of a header, such as X-Forwarded-User')

export const perimeterAddresses: z.ZodType<readonly string[], string> = z.string().transform((text, context) => {
  const addresses = entriesOf(text)
  for (const [index, address] of addresses.entries()) {
    const fault = faultOf(() => trustedPerimeter({ header: 'a', addresses: [address], schemes: { a: {} } }))
    if (fault !== undefined) context.addIssue(`${fault.replace('trustedPerimeter: addresses[0] ', '')}; entry ${index + 1} is not`)
  }
  return addresses
})

function entriesOf(text: string): string[] {
  return text.split(',').map((entry) => entry.trim())
}

function faultOf(make: () => unknown): string | undefined {
  try {
    make()
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
