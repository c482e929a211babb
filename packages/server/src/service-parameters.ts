import { ExtensionSupportRequiredError, UnsupportedOperationError, VersionNotSupportedError } from '@a2a-js/sdk/errors'
import { type AgentCardJson, requestedVersions } from '@moorage/protocol'
import type { Context } from 'hono'

export const VERSION_HEADER = 'A2A-Version'
export const EXTENSIONS_HEADER = 'A2A-Extensions'

/** The version that is served next to 1.0 where the card declares it. */
export const V0_3 = '0.3'

export type Binding = 'JSONRPC' | 'HTTP+JSON'

/**
 * The protocol version of a request, as Major.Minor (A2A §3.6): the header, else the query parameter. Absent or empty means 0.3.
 * @param served the versions that the card declares for this binding at this URL
 * @throws VersionNotSupportedError for any other, and for several
 */
export function resolveVersion({ req }: Context, served: readonly string[]): string {
  const [version = V0_3, ...others] = requestedVersions(req.header(VERSION_HEADER), req.queries(VERSION_HEADER) ?? [])
  if (others.length === 0 && served.includes(version)) return version
  const fault = others.length === 0 ? 'Protocol version not supported' : `${VERSION_HEADER} names several versions`
  throw new VersionNotSupportedError({ message: `${fault}: send the ${VERSION_HEADER} header with ${served.join(' or ')}` })
}

/** What becomes of an extension that a request names and the card does not declare. */
export type UnknownExtensions = 'refuse' | 'ignore'

/**
 * The extensions that a request activates (A2A §4.6), by the header of its version, else by that of 1.0. One that the card does not declare
 * is refused, unless told otherwise, so that no client takes a plain answer for an extended one.
 * @throws UnsupportedOperationError for an undeclared one, ExtensionSupportRequiredError for a required one that the request leaves out.
 */
export function resolveExtensions({ req }: Context, card: AgentCardJson, ownHeader: string, unknown: UnknownExtensions): readonly string[] {
  const header = [ownHeader, EXTENSIONS_HEADER].find((name) => req.header(name) !== undefined) ?? ownHeader
  const requested = new Set((req.header(header) ?? '').split(',').flatMap((uri) => uri.trim() || []))
  const declared = card.capabilities.extensions ?? []
  const isDeclared = (uri: string) => declared.some((extension) => extension.uri === uri)
  const undeclared = [...requested].find((uri) => !isDeclared(uri))
  if (undeclared !== undefined && unknown === 'refuse') {
    const message = `${header} names an extension that the agent card does not declare: ${quoted(undeclared)}`
    throw new UnsupportedOperationError({ message })
  }
  const missing = declared.find((extension) => extension.required === true && !requested.has(extension.uri))
  if (missing !== undefined) {
    throw new ExtensionSupportRequiredError({ message: `${header} must name ${missing.uri}`, metadata: { uri: missing.uri } })
  }
  return [...requested].filter(isDeclared)
}

const LONGEST_QUOTE = 200

/** What a client sent, as it can stand in a sentence: in plain ASCII, and cut with `…` where it is long. */
function quoted(text: string): string {
  const escaped = (cut: string) =>
    JSON.stringify(cut).replace(/[^ -~]/g, (other) => `\\u${other.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return text.length <= LONGEST_QUOTE ? escaped(text) : escaped(text.slice(0, LONGEST_QUOTE)).replace(/"$/, '…"')
}
