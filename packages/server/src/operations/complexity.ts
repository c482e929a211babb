import { fieldPath } from '@moorage/protocol'
import { invalidParam } from '../errors.js'

/** How deep a request's JSON may be nested. */
const MAX_DEPTH = 64

/** How many levels are named of the way to what is nested too deep. */
const NAMED_LEVELS = 3

interface Fault {
  readonly kind: 'depth' | 'number'
  /** From the fault up to the request. */
  readonly path: PropertyKey[]
}

/**
 * Looks at everything once, before any schema does: refuses what would cost too much to check or to keep, and a number that no double can
 * hold (1e400 is read as infinite, which JSON cannot say).
 * @throws InvalidParamsError that names the field.
 */
export function checkComplexity(request: unknown): void {
  const fault = findFault(request, 1)
  if (fault === undefined) return
  const path = fault.path.toReversed()
  if (fault.kind === 'number') throw invalidParam(fieldPath(path), 'Give a number that a double can hold.')
  throw invalidParam(fieldPath(path.slice(0, NAMED_LEVELS)), `Nest JSON at most ${MAX_DEPTH} levels deep.`)
}

function findFault(value: unknown, depth: number): Fault | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return { kind: 'number', path: [] }
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > MAX_DEPTH) return { kind: 'depth', path: [] }
  return Array.isArray(value) ? findInList(value, depth) : findInObject(value as Readonly<Record<string, unknown>>, depth)
}

function findInList(list: readonly unknown[], depth: number): Fault | undefined {
  for (let index = 0; index < list.length; index += 1) {
    const fault = findFault(list[index], depth + 1)
    if (fault !== undefined) return within(fault, index)
  }
  return undefined
}

function findInObject(object: Readonly<Record<string, unknown>>, depth: number): Fault | undefined {
  for (const key of Object.keys(object)) {
    const fault = findFault(object[key], depth + 1)
    if (fault !== undefined) return within(fault, key)
  }
  return undefined
}

function within(fault: Fault, key: PropertyKey): Fault {
  fault.path.push(key)
  return fault
}
