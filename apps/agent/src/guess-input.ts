import { z } from 'zod'

/** The part of JSON Schema that a guess can be made from. */
interface Schema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly minItems?: number
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly exclusiveMaximum?: number
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

/** A data part with the least that the schema takes; undefined where no guess satisfies it. */
export function guessInput(schema: z.ZodType): { readonly data: unknown } | undefined {
  try {
    const data = guess(z.toJSONSchema(schema, { io: 'input' }) as Schema)
    return schema.safeParse(data).success ? { data } : undefined
  } catch {
    // A schema that has no JSON form, or that can only be checked asynchronously.
    return undefined
  }
}

function guess(schema: Schema): unknown {
  const given = [schema.const, schema.default, schema.examples?.[0], schema.enum?.[0]].find((value) => value !== undefined)
  if (given !== undefined) return given
  const option = schema.anyOf?.[0] ?? schema.oneOf?.[0]
  if (option !== undefined) return guess(option)
  switch (schema.type ?? 'null') {
    case 'object':
      return guessObject(schema)
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => guess(schema.items ?? {}))
    case 'string':
      return 'text'
    case 'number':
    case 'integer':
      return guessNumber(schema)
    case 'boolean':
      return true
    default:
      return null
  }
}

/** The number next to 0 that is in the range: a schema of whole numbers has every safe one. */
function guessNumber({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }: Schema): number {
  const least = Math.max(minimum ?? -Infinity, exclusiveMinimum === undefined ? -Infinity : exclusiveMinimum + 1)
  const most = Math.min(maximum ?? Infinity, exclusiveMaximum === undefined ? Infinity : exclusiveMaximum - 1)
  return Math.min(Math.max(0, least), most)
}

function guessObject({ properties = {}, required = [] }: Schema): Readonly<Record<string, unknown>> {
  return Object.fromEntries(required.map((name) => [name, guess(properties[name] ?? {})]))
}
