import { invalidParam } from '../errors.js'

/** How deep a request's JSON may be nested, and how many parts a message may have. */
const MAX_DEPTH = 64
const MAX_PARTS = 100

/**
 * Refuses what would cost too much to check or to keep, before any schema looks at it.
 * @throws InvalidParamsError that names the field.
 */
export function checkComplexity(request: unknown): void {
  const deep = tooDeep(request, 1)
  if (deep !== undefined) throw invalidParam(deep, `Nest JSON at most ${MAX_DEPTH} levels deep.`)
  const parts = member(member(request, 'message'), 'parts')
  if (Array.isArray(parts) && parts.length > MAX_PARTS) throw invalidParam('message.parts', `Send at most ${MAX_PARTS} parts.`)
}

/** The first level's field, and what follows it for two levels more, under which the nesting is too deep. */
function tooDeep(value: unknown, depth: number): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > MAX_DEPTH) return ''
  for (const [key, child] of Object.entries(value)) {
    const below = tooDeep(child, depth + 1)
    if (below !== undefined) return depth > 3 ? '' : joinPath(Array.isArray(value) ? `[${key}]` : key, below)
  }
  return undefined
}

function joinPath(head: string, tail: string): string {
  return tail === '' || tail.startsWith('[') ? `${head}${tail}` : `${head}.${tail}`
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}
