import type { AuditRow, Receipt } from '@moorage/store'

/** What was decided, as far as the audit goes: a refusal, or something done, with a receipt where it has a position. */
type Decided =
  | { readonly result: 'refused'; readonly reason: string }
  | { readonly result: 'accepted'; readonly receipt: Receipt }
  | { readonly result: 'canceled' | 'done' }

export function auditOutcome(decided: Decided): Pick<AuditRow, 'outcome' | 'position' | 'reason'> {
  if (decided.result === 'refused') return { outcome: 'refused', reason: decided.reason }
  if (decided.result !== 'accepted') return { outcome: 'accepted' }
  return { outcome: decided.receipt.duplicate ? 'duplicate' : 'accepted', position: decided.receipt.position }
}
