/** A JSON text's object without anything that is empty, at any depth: texts, lists, objects and null. */
export function withoutEmpty(json: string): object {
  return (prune(JSON.parse(json)) as object | undefined) ?? {}
}

function prune(value: unknown): unknown {
  if (value === '' || value === null) return undefined
  if (typeof value !== 'object') return value
  const pruned = Object.entries(value).flatMap(([name, field]): readonly [string, unknown][] => {
    const rest = prune(field)
    return rest === undefined ? [] : [[name, rest]]
  })
  if (pruned.length === 0) return undefined
  return Array.isArray(value) ? pruned.map(([, item]) => item) : Object.fromEntries(pruned)
}
