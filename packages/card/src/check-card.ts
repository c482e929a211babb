import { fieldPath, type SecuritySchemeJson } from '@moorage/protocol'
import type { z } from 'zod'
import { CardError, type CardFault } from './card-error.js'
import { type AllowedClaims, cardSchema, type DeclaredCard } from './card-schema.js'
import type { CardSource } from './card-source.js'
import { type SecurityIssue, securityIssues, withEnforced } from './security-faults.js'
import { securityOfCard } from './security-schema.js'
import { unknownField } from './unknown-field.js'

/** What a card may say because whoever builds it does it. */
export interface CardChecks {
  readonly allow?: AllowedClaims | undefined
  /** The security schemes that are enforced, by their names on the card. @default none */
  readonly schemes?: Readonly<Record<string, SecuritySchemeJson>> | undefined
}

/**
 * The declared card, if nothing is wrong with it.
 * @throws {CardError} naming every fault, in the order of the file
 */
export function checkCard(source: CardSource, { allow, schemes = {} }: CardChecks = {}): DeclaredCard {
  const parsed = cardSchema(allow).safeParse(source.value)
  const issues = [...(parsed.error?.issues ?? []).flatMap((issue) => faultsOf(issue, source)), ...securityFaultsOf(source, schemes)]
  if (parsed.success && source.faults.length === 0 && issues.length === 0) return parsed.data
  const faults = [...source.faults]
  for (const fault of issues) {
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

/** Whatever else is wrong with the card, what it says of its callers is compared as soon as it can be read. */
function securityFaultsOf({ value, placeOf }: CardSource, enforced: NonNullable<CardChecks['schemes']>): readonly CardFault[] {
  const declared = securityOfCard.safeParse(value)
  if (!declared.success) return []
  const issues: readonly SecurityIssue[] = securityIssues(withEnforced(declared.data, enforced), enforced)
  return issues.map(({ path, message }) => ({ field: fieldPath(path), message, ...placeOf(path) }))
}

function byPlace(a: CardFault, b: CardFault): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)
}
