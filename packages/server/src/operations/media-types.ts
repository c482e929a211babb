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
  const index = parts.findIndex((part) => !modes.some((mode) => accepts(mode, mediaTypeOf(part))))
  if (index === -1) return
  throw new ContentTypeNotSupportedError({
    message: `message.parts[${index}].mediaType is not accepted: send ${inputModes.join(', ')}`,
    metadata: { field: `message.parts[${index}].mediaType` },
  })
}

function accepts(mode: string, mediaType: string): boolean {
  if (mode === mediaType || mode === '*/*') return true
  return mode.endsWith('/*') && mediaType.startsWith(mode.slice(0, -1))
}
