import { ContentTypeNotSupportedError } from '@a2a-js/sdk/errors'
import type { PartJson } from '@moorage/protocol'

/** The media type of a part, without parameters: the declared one, else what its form says. */
export function mediaTypeOf(part: PartJson): string {
  const declared = part.mediaType?.split(';', 1)[0]?.trim().toLowerCase()
  if (declared) return declared
  if ('text' in part) return 'text/plain'
  return 'data' in part ? 'application/json' : 'application/octet-stream'
}

/**
 * Checks every part against the card's input modes, in which a type or subtype may be `*`.
 * @throws ContentTypeNotSupportedError that names the part and the modes (A2A §3.1.1).
 */
export function checkMediaTypes(parts: readonly PartJson[], inputModes: readonly string[]): void {
  const modes = inputModes.map((mode) => mode.split(';', 1)[0]?.trim().toLowerCase() ?? '')
  for (const [index, part] of parts.entries()) {
    if (!modes.some((mode) => accepts(mode, mediaTypeOf(part)))) throw notAccepted(part, `message.parts[${index}]`, inputModes)
  }
}

/** A media type that the part declares is the caller's own, and may be anything: it is named and not repeated. */
function notAccepted(part: PartJson, field: string, inputModes: readonly string[]): Error {
  const declared = Boolean(part.mediaType)
  const what = declared ? `${field}.mediaType is` : `${field} counts as ${mediaTypeOf(part)}, which is`
  return new ContentTypeNotSupportedError({
    message: `${what} not accepted: send ${inputModes.join(', ')}`,
    metadata: { field: declared ? `${field}.mediaType` : field },
  })
}

function accepts(mode: string, mediaType: string): boolean {
  if (mode === mediaType || mode === '*/*') return true
  return mode.endsWith('/*') && mediaType.startsWith(mode.slice(0, -1))
}
