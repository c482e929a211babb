import { z } from 'zod'
import { anyString, filledString, protoObject, struct, type WireSchema } from './proto-json.js'
import type { Json, PartJson } from './task.js'

/** Standard or url-safe base64, padded or not, in; standard padded base64 out; undefined where it is neither. */
function toStandardBase64(encoded: string): string | undefined {
  const match = /^([A-Za-z0-9+/_-]*)(={0,2})$/.exec(encoded)
  const [, digits = '', padding = ''] = match ?? []
  const missing = (4 - (digits.length % 4)) % 4
  if (match === null || missing === 3 || (padding !== '' && padding.length !== missing)) return undefined
  return digits.replaceAll('-', '+').replaceAll('_', '/') + '='.repeat(missing)
}

const base64 = anyString
  .transform((encoded, context) => {
    const standard = toStandardBase64(encoded)
    if (standard !== undefined) return standard
    context.addIssue({ code: 'custom', message: 'Give the bytes as base64.' })
    return z.NEVER
  })
  .meta({ contentEncoding: 'base64' })

/** Any JSON value; what it holds is not looked at. */
const anyValue = z.custom<Json>((value) => value !== undefined, { error: 'Give a JSON value.' })

const CONTENT = ['text', 'raw', 'url', 'data'] as const

/**
 * A Part of the wire (A2A §4.1.6). `raw` comes out as standard, padded base64; `data` passes through untouched, `null` included.
 * A part with none or several of text, raw, url and data is refused as a whole.
 */
export const partSchema: WireSchema<PartJson> = protoObject(
  {
    text: anyString.exactOptional(),
    raw: base64.exactOptional(),
    url: filledString.exactOptional(),
    data: anyValue.exactOptional(),
    metadata: struct.exactOptional(),
    filename: anyString.exactOptional(),
    mediaType: anyString.exactOptional(),
  },
  { emptyIsUnset: ['filename', 'mediaType'], nullIsValue: ['data'] },
)
  .transform((part, context) => {
    if (CONTENT.filter((name) => Object.hasOwn(part, name)).length === 1) return part as PartJson
    context.addIssue({ code: 'custom', message: 'Give exactly one of text, raw, url and data.' })
    return z.NEVER
  })
  .meta({ oneOf: CONTENT.map((name) => ({ required: [name] })) })
