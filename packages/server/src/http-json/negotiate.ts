export const A2A_JSON = 'application/a2a+json'
export const PLAIN_JSON = 'application/json'

/** The media types in which this binding answers (A2A §11.1). */
export type JsonMediaType = typeof A2A_JSON | typeof PLAIN_JSON

export function isJsonMediaType(mediaType: string | undefined): mediaType is JsonMediaType {
  return mediaType === A2A_JSON || mediaType === PLAIN_JSON
}

/**
 * The media type of an answer: the one that `Accept` names, the preferred one where it names both alike; where it names neither, the
 * request's own, else the preferred one. Never a refusal: an error too must be told in some form.
 */
export function negotiate(accept: string | undefined, requestType: string | undefined, preferred: JsonMediaType): JsonMediaType {
  const other = preferred === A2A_JSON ? PLAIN_JSON : A2A_JSON
  const ranges = parseAccept(accept ?? '')
  const [wanted, alternative] = [ranges.get(preferred) ?? 0, ranges.get(other) ?? 0]
  if (wanted === 0 && alternative === 0) return isJsonMediaType(requestType) ? requestType : preferred
  return alternative > wanted ? other : preferred
}

/** The named media ranges with their quality, 1 where it is not given (RFC 9110 §12.5.1). */
function parseAccept(accept: string): ReadonlyMap<string, number> {
  return new Map(
    accept.split(',').map((range) => {
      const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return [type, quality === undefined ? 1 : Number(quality) || 0]
    }),
  )
}
