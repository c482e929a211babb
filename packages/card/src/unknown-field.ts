import { fieldPath } from '@moorage/protocol'
import { z } from 'zod'
import { cardSchema } from './card-schema.js'

interface KnownField {
  readonly name: string
  /** Path of the object or list that has the field, without indices; `ANY` for a name that the card's author chose. */
  readonly parent: readonly string[]
}

const ANY = '*'

const KNOWN_FIELDS = [...fieldsOf(cardSchema(), [])]

/** The fields that a card can have. Those that can only be refused are not among them. */
function* fieldsOf(schema: unknown, path: readonly string[]): Generator<KnownField> {
  if (schema instanceof z.ZodObject) {
    for (const [name, field] of Object.entries(schema.shape)) {
      const inner = unwrap(field)
      if (inner instanceof z.ZodNever || inner instanceof z.ZodUnknown) continue
      yield { name, parent: path }
      yield* fieldsOf(inner, [...path, name])
    }
  } else if (schema instanceof z.ZodArray) yield* fieldsOf(schema.element, path)
  else if (schema instanceof z.ZodRecord) yield* fieldsOf(schema.valueType, [...path, ANY])
}

function unwrap(schema: unknown): unknown {
  const isWrapped = schema instanceof z.ZodExactOptional || schema instanceof z.ZodDefault
  return isWrapped ? unwrap(schema.unwrap()) : schema
}

/** What is wrong with a field that no card has, and what its author probably meant. */
export function unknownField(name: string, path: readonly PropertyKey[]): string {
  const here = path.filter((step) => typeof step !== 'number')
  const siblings = KNOWN_FIELDS.filter(({ parent }) => isAt(parent, here)).map((field) => field.name)
  const alike = siblings.find((sibling) => isAlike(sibling, name))
  if (alike !== undefined) return `There is no such field; write ${alike}.`
  const homes = KNOWN_FIELDS.filter((field) => field.name === name.trim() && !field.parent.includes(ANY)).map(({ parent }) =>
    parent.length === 0 ? 'the card itself' : fieldPath(parent),
  )
  if (homes.length > 0) return `There is no such field here; it belongs to ${homes.join(', or to ')}: correct its indentation.`
  return `There is no such field; leave it out, or take one of ${siblings.join(', ')}.`
}

function isAt(parent: readonly string[], path: readonly PropertyKey[]): boolean {
  return parent.length === path.length && parent.every((step, index) => step === ANY || step === path[index])
}

function isAlike(known: string, given: string): boolean {
  const [a, b] = [known, given].map((name) => name.toLowerCase().replace(/[^a-z0-9]/g, ''))
  if (a === undefined || b === undefined) return false
  return a === b || (a.length > 3 && distance(a, b) <= 2)
}

/** How many letters have to be put in, taken out or exchanged (Levenshtein). */
function distance(from: string, to: string): number {
  let costs = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [row, letter] of [...from].entries()) {
    const next = [row + 1]
    for (let column = 1; column <= to.length; column += 1) {
      const exchange = (costs[column - 1] ?? 0) + (letter === to[column - 1] ? 0 : 1)
      next.push(Math.min(exchange, (costs[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    costs = next
  }
  return costs[to.length] ?? 0
}
