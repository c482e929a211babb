/** How long things are kept, in milliseconds; 0: for ever. What the retention's workflow is started with: part of recorded histories. */
export interface RetentionInput {
  /** How long a task is kept after it has ended. An open task never expires. */
  readonly tasksMs: number
  /** How long a row of the audit is kept. */
  readonly auditMs: number
}

const DAY_MS = 86_400_000

/** Tasks 30 days, audit 90 days. */
export const DEFAULT_RETENTION: RetentionInput = { tasksMs: 30 * DAY_MS, auditMs: 90 * DAY_MS }
