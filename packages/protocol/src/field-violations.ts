import type { z } from 'zod'
import { fieldPath } from './field-path.js'

/** One entry of google.rpc.BadRequest (A2A §3.3.2): `field` is a camelCase path, `''` for the request as a whole. */
export interface FieldViolation {
  readonly field: string
  readonly description: string
}

/** A hostile request can be wrong in a hundred thousand places; the answer stays small. */
const MOST_VIOLATIONS = 20

/** The first words of zod's own messages, which no client can act upon. */
const ZOD_WORDS = /^(?:Invalid|Too (?:big|small)|Unrecognized)/

type Issue = z.core.$ZodIssue

const KINDS: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'an integer',
  null: 'null',
  number: 'a number',
  object: 'a JSON object',
  record: 'a JSON object',
  string: 'a string',
}

/** What to do about an issue that zod put into its own words: never with the given value, which may be a secret. */
function describeIssue(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `Give ${KINDS[issue.expected] ?? 'a value of the right kind'}.`
    case 'too_small':
      return `Give ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${unitOf(issue.origin)}.`
    case 'too_big':
      return `Give ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${unitOf(issue.origin)}.`
    case 'not_multiple_of':
      return `Give a multiple of ${issue.divisor}.`
    case 'invalid_value':
      return `Give ${issue.values.map(String).join(' or ')}.`
    case 'unrecognized_keys':
      return 'Leave this field out: it is not known here.'
    case 'invalid_format':
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return 'Give a value of the right form.'
  }
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters'
  return origin === 'array' || origin === 'set' ? ' items' : ''
}

function* violationsOf(issue: Issue, root: string): Generator<FieldViolation> {
  const description = ZOD_WORDS.test(issue.message) ? describeIssue(issue) : issue.message
  if (issue.code !== 'unrecognized_keys') yield { field: fieldPath(issue.path, root), description }
  else for (const key of issue.keys) yield { field: fieldPath([...issue.path, key], root), description }
}

/**
 * What is wrong with a request, as google.rpc.BadRequest's `fieldViolations`: at most 20, in plain words, without the given values.
 * Also speaks for schemas that others wrote (an agent's `input`): their own messages are kept, zod's are put into words.
 * @param root the path of the value that was parsed, such as `message.parts[0].data`
 */
export function fieldViolations(error: z.ZodError, root = ''): readonly FieldViolation[] {
  const violations: FieldViolation[] = []
  for (const issue of error.issues) {
    for (const violation of violationsOf(issue, root)) {
      violations.push(violation)
      if (violations.length === MOST_VIOLATIONS) return violations
    }
  }
  return violations
}
