import { z } from 'zod'
import type { JsonObject } from './task.js'

/** A schema over an unknown wire value. */
export type WireSchema<T> = z.ZodType<T, unknown>

/** What the fields of one ProtoJSON object may leave out. */
export interface FieldRules {
  /** Strings and lists without presence in the proto: `''` and `[]` mean "not set". */
  readonly emptyIsUnset?: readonly string[]
  /** Fields for which `null` is a value (google.protobuf.Value) and not "not set". */
  readonly nullIsValue?: readonly string[]
}

interface FieldName {
  readonly camel: string
  readonly snake: string
}

function fieldName(camel: string): FieldName {
  return { camel, snake: camel.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) }
}

function isUnset(value: unknown, field: string, rules: FieldRules): boolean {
  if (value === undefined) return true
  if (value === null) return !rules.nullIsValue?.includes(field)
  if (!rules.emptyIsUnset?.includes(field)) return false
  return value === '' || (Array.isArray(value) && value.length === 0)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * An object of the ProtoJSON form: takes camelCase and snake_case names, drops unknown and unset fields, puts out camelCase only.
 * Only the shape's fields are read, and only the input's own ones, so that `__proto__` and its kin never get through.
 */
export function protoObject<Shape extends z.core.$ZodLooseShape>(shape: Shape, rules: FieldRules = {}) {
  const names = Object.keys(shape).map(fieldName)
  const readFields = (input: unknown, context: z.core.$RefinementCtx): unknown => {
    if (!isRecord(input)) return input
    const fields: Record<string, unknown> = {}
    for (const { camel, snake } of names) {
      const given = [camel, snake].filter((name, index, all) => all.indexOf(name) === index && Object.hasOwn(input, name))
      if (given.length > 1) {
        context.addIssue({ code: 'custom', path: [camel], message: `Give this field once: either ${camel} or ${snake}.` })
      }
      const value = given[0] === undefined ? undefined : input[given[0]]
      if (!isUnset(value, camel, rules)) fields[camel] = value
    }
    return fields
  }
  return z.preprocess(readFields, z.object(shape, { error: 'Give a JSON object.' }))
}

const LONGEST_LIST = 100

/** A list of at most 100 items, which are checked by the given schema: not one of them where there are too many. */
export function list<Item extends z.ZodType>(item: Item, { nonEmpty = false } = {}) {
  const bounded = (input: unknown, context: z.core.$RefinementCtx): unknown => {
    if (!Array.isArray(input)) context.addIssue({ code: 'custom', message: 'Give a list.' })
    else if (nonEmpty && input.length === 0) context.addIssue({ code: 'custom', message: 'Give at least one item.' })
    else if (input.length > LONGEST_LIST) context.addIssue({ code: 'custom', message: `Give at most ${LONGEST_LIST} items.` })
    else return input
    return z.NEVER
  }
  return z.preprocess(bounded, z.array(item)).meta({ maxItems: LONGEST_LIST, ...(nonEmpty && { minItems: 1 }) })
}

/** A string, which may be empty. */
export const anyString = z.string({ error: 'Give a string.' })

/** A string of at least one character. */
export const filledString = z.string({ error: 'Give a non-empty string.' }).min(1, { error: 'Give a non-empty string.' })

const IDENTIFIER_RULE = 'Give a non-empty string of at most 256 characters, without control characters.'

/** An identifier: bounded, and free of what databases and logs cannot carry (control characters, halves of surrogate pairs). */
export const identifier = z
  .string({ error: IDENTIFIER_RULE })
  .refine((id) => id !== '' && id.length <= 256 && !/[\p{Cc}\p{Cs}]/u.test(id), {
    error: IDENTIFIER_RULE,
  })
  .meta({ minLength: 1, maxLength: 256 })

/** An identifier that may be left out, and be empty as unset: its field is one of `emptyIsUnset`. */
export const optionalIdentifier = identifier.meta({ minLength: 0 }).exactOptional()

/** A google.protobuf.Struct: its content passes through untouched. */
export const struct = z.custom<JsonObject>(isRecord, { error: 'Give a JSON object.' }).meta({ type: 'object' })

const INT32_MAX = 2_147_483_647

/** An int32 within the bounds, as a number or, as ProtoJSON allows, a decimal string. */
export function int32(least: number, most = INT32_MAX): WireSchema<number> {
  const error = `Give an integer from ${least} to ${most}.`
  const read = z.unknown().transform((input, context) => {
    const value = typeof input === 'string' && /^-?\d{1,10}$/.test(input) ? Number(input) : input
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value
    context.addIssue({ code: 'custom', message: error })
    return z.NEVER
  })
  return read.meta({ type: 'integer', minimum: least, maximum: most })
}

/** A JSON boolean; strings are not taken. */
export const boolean = z.boolean({ error: 'Give true or false.' })

/**
 * An enum by name or by number, which is the name's index; the name at index 0, the unspecified value, is refused.
 * @param names from number 0 on
 */
export function protoEnum<Name extends string>(names: readonly [string, ...Name[]]): WireSchema<Name> {
  const [, ...allowed] = names
  const read = z.unknown().transform((input, context) => {
    const name = typeof input === 'number' ? names[input] : input
    const found = (allowed as Name[]).find((candidate) => candidate === name)
    if (found !== undefined) return found
    context.addIssue({ code: 'custom', message: `Give ${allowed.join(', ')}.`.replace(/, (?=[^,]*$)/, ' or ') })
    return z.NEVER
  })
  return read.meta({ type: 'string', enum: allowed })
}
