import { fieldPath } from '@moorage/protocol'
import type { z } from 'zod'
import { CardError, type CardFault } from './card-error.js'
import { type AllowedClaims, cardSchema, type DeclaredCard } from './card-schema.js'
import type { CardSource } from './card-source.js'
import { unknownField } from './unknown-field.js'

/**
 * The declared card, if nothing is wrong with it.
 * @throws {CardError} naming every fault, in the order of the file
 */
export function checkCard(source: CardSource, allow?: AllowedClaims): DeclaredCard {
  const parsed = cardSchema(allow).safeParse(source.value)
  if (parsed.success && source.faults.length === 0) return parsed.data
  const faults = [...source.faults]
  for (const fault of (parsed.error?.issues ?? []).flatMap((issue) => faultsOf(issue, source))) {
    // Of several faults of one field the first is the reason of the others.
    if (!faults.some(({ field }) => field !== '' && field === fault.field)) faults.push(fault)
  }
  throw new CardError(faults.sort(byPlace), source.file)
}

function faultsOf(issue: z.core.$ZodIssue, { placeOf }: CardSource): readonly CardFault[] {
  if (issue.code !== 'unrecognized_keys') return [{ field: fieldPath(issue.path), message: issue.message, ...placeOf(issue.path) }]
  return issue.keys.map((key) => {
    const path = [...issue.path, key]
    return { field: fieldPath(path), message: unknownField(key, issue.path), ...placeOf(path) }
  })
}

function byPlace(a: CardFault, b: CardFault): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)
}
