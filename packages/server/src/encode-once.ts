const encoded = new WeakMap<object, string>()

/** The JSON of a value that never changes, and that several clients may get: made for the first of them. */
export function encodeOnce(value: object): string {
  const known = encoded.get(value)
  if (known !== undefined) return known
  const json = JSON.stringify(value)
  encoded.set(value, json)
  return json
}
