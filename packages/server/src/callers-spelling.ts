import type { FieldViolation } from '@moorage/protocol'
import { snakeCase } from './snake-case.js'

/** Below these fields the names are the caller's own, and no other spelling of them is read. */
const OPAQUE: ReadonlySet<string> = new Set(['data', 'metadata'])

/**
 * The violations with each field as the request spells it: `message.task_id` where it came in snake_case. What the request does not have is
 * named in camelCase, and so is a field that it has under both names.
 */
export function inCallersSpelling(violations: readonly FieldViolation[], request: unknown): readonly FieldViolation[] {
  return violations.map(({ field, description }) => ({ field: spellPath(field, request), description }))
}

function spellPath(field: string, request: unknown): string {
  let value = request
  return field.replace(/[^.[\]]+/g, (name) => {
    const spelled = spellName(name, value)
    value = OPAQUE.has(name) ? undefined : Object(value)[spelled]
    return spelled
  })
}

function spellName(name: string, parent: unknown): string {
  const snake = snakeCase(name)
  return !Object.hasOwn(Object(parent), name) && Object.hasOwn(Object(parent), snake) ? snake : name
}
