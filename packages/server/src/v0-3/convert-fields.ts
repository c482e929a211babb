import { snakeCase } from '../snake-case.js'

/** Makes one form of a value of another. What is not of the form that it knows stays as it is, for a schema to refuse. */
export type Convert = (value: unknown, index: number) => unknown

/** A field of the one form, of the other, and how its value is converted. */
export type FieldRow = readonly [from: string, to: string, convert?: Convert]

/**
 * Converts an object field by field, and drops every other field. As in ProtoJSON a field may come in snake_case, and `null` is not set. Of
 * two rows with the same `to` the later one wins.
 */
export function fields(...rows: readonly FieldRow[]): Convert {
  return (value) => {
    if (!isRecord(value)) return value
    const converted: Record<string, unknown> = {}
    for (const [from, to, convert] of rows) {
      const given = readField(value, from)
      if (given !== undefined) converted[to] = convert === undefined ? given : convert(given, 0)
    }
    return converted
  }
}

/** Converts the items of a list. */
export function each(convert: Convert): Convert {
  return (value) => (Array.isArray(value) ? value.map(convert) : value)
}

/** A field of its own by its camelCase name; undefined where it is not set. */
export function readField(object: Readonly<Record<string, unknown>>, name: string): unknown {
  const key = [name, snakeCase(name)].find((candidate) => Object.hasOwn(object, candidate))
  return key === undefined ? undefined : (object[key] ?? undefined)
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
