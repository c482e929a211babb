import { z } from 'zod'
import type { Variables } from './environment.js'

/** One row of a configuration table, here and in the READMEs. */
export interface ConfigVariable {
  readonly name: string
  /** As text; in parentheses where it is no value that the variable could have. */
  readonly default: string
  readonly meaning: string
}

/** The rows of a table of variables. */
export function configRows(variables: Variables): readonly ConfigVariable[] {
  return Object.entries(variables).map(([name, schema]) => {
    const meta = schema.meta()
    return { name, default: String(meta?.['defaultText']), meaning: String(meta?.description) }
  })
}

/** A variable with a default, which is given as text. */
export function variable<Output>(text: string, meaning: string, schema: z.ZodType<Output, string>) {
  return schema.prefault(text).meta({ defaultText: text, description: meaning })
}

/** A variable that may be unset; `text` says what holds then. */
export function optional<Output>(text: string, meaning: string, schema: z.ZodType<Output, string>) {
  return schema.optional().meta({ defaultText: text, description: meaning })
}

/** As `optional`, for what no message may show. */
export function secret<Output>(text: string, meaning: string, schema: z.ZodType<Output, string>) {
  return schema.optional().meta({ defaultText: text, description: meaning, secret: true })
}

/** A whole number; the meaning gets its range. */
export function integer(text: string, meaning: string, min: number, max: number) {
  return variable(text, `${meaning} (${min} to ${max})`, integerText(min, max))
}

/** The text of a whole number. */
export function integerText(min: number, max: number): z.ZodType<number, string> {
  const message = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
}

/** One of a few words; the meaning says which. */
export function choice<const Value extends string>(text: Value, meaning: string, values: readonly Value[]) {
  return variable(text, meaning, oneOf(values))
}

/** An address or a host name to listen on. */
export function host(meaning: string) {
  const message = 'must be an address or a host name to listen on, without scheme, port or path'
  const schema = z
    .string()
    .refine((text) => URL.canParse(`http://${text.includes(':') ? `[${text}]` : text}/`) && !/[\s/@?#]/.test(text), message)
  return variable('127.0.0.1', meaning, schema)
}

function oneOf<const Value extends string>(values: readonly Value[]): z.ZodType<Value, string> {
  return z.string().transform((text, context) => {
    const value = values.find((candidate) => candidate === text)
    if (value !== undefined) return value
    context.addIssue(`must be one of ${values.join(', ')}`)
    return z.NEVER
  })
}
