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
      return schema.minimum ?? (schema.exclusiveMinimum === undefined ? 1 : schema.exclusiveMinimum + 1)
    case 'boolean':
      return true
    default:
      return null
  }
}

function guessObject({ properties = {}, required = [] }: Schema): Readonly<Record<string, unknown>> {
  return Object.fromEntries(required.map((name) => [name, guess(properties[name] ?? {})]))
}
