import type { AuditEntry } from '@moorage/store'

/** The columns of the audit as a person reads it: heading, width, value. The last one takes what it needs. */
const COLUMNS: readonly (readonly [heading: string, width: number, value: (entry: AuditEntry) => string | number | undefined])[] = [
  ['TIME', 24, ({ at }) => new Date(at).toISOString()],
  ['OPERATION', 18, ({ operation }) => operation],
  ['OUTCOME', 9, ({ outcome }) => outcome],
  ['POSITION', 8, ({ position }) => position],
  ['PARTICIPANT', 20, ({ sender }) => sender.participant],
  ['SUBJECT', 20, ({ sender }) => sender.subject],
  ['TENANT', 12, ({ sender }) => sender.tenant],
  ['REASON', 0, ({ reason }) => reason],
]

export const AUDIT_HEADINGS = line(COLUMNS.map(([heading]) => heading))

/** One row for a person; `-` for what a row does not have. */
export function auditLine(entry: AuditEntry): string {
  return line(COLUMNS.map(([, , value]) => printable(String(value(entry) ?? '')) || '-'))
}

/** One row as a JSON object, on one line. */
export function auditJson(entry: AuditEntry): string {
  const { at, operation, outcome, position, sender, reason, agent } = entry
  const { participant, subject, tenant } = sender
  return JSON.stringify({ time: new Date(at).toISOString(), operation, outcome, position, participant, subject, tenant, reason, agent })
}

function line(cells: readonly string[]): string {
  return cells
    .map((cell, index) => cell.padEnd(COLUMNS[index]?.[1] ?? 0))
    .join('  ')
    .trimEnd()
}

/** A name may be anything, and must not steer the terminal. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
