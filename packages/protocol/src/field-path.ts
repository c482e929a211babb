/** A caller chooses the keys of its JSON, and must not get a megabyte of them back. */
const LONGEST = 200

/**
 * The path of a field as errors name it, such as `message.parts[0].data`. One of more than 200 characters is cut, and ends with `…`.
 * @param root what the path begins with; `''` for the request as a whole
 */
export function fieldPath(path: readonly PropertyKey[], root = ''): string {
  let field = root
  for (const key of path) {
    if (field.length > LONGEST) break
    if (typeof key === 'number') field += `[${key}]`
    else field += field === '' ? String(key) : `.${String(key)}`
  }
  return field.length > LONGEST ? `${field.slice(0, LONGEST - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : field
}
