import type { AuditRow, TaskStore } from '@moorage/store'

/** An operation that was refused before any transaction, or that only reads. */
export interface RefusedOperation extends Pick<AuditRow, 'agent' | 'principal' | 'operation'> {
  readonly reason: string
  /** The task that it asked for, if it named one; whether there is such a task is not looked at. */
  readonly taskId?: string | undefined
}

/**
 * Records that an operation was refused: to be awaited before the caller is told.
 * @throws StoreUnavailableError when nothing could be recorded.
 */
export async function auditRefusal(store: TaskStore, { taskId, ...refused }: RefusedOperation): Promise<void> {
  const row: AuditRow = { ...refused, outcome: 'refused', ...(taskId !== undefined && { taskId }) }
  await store.transact([], (tx) => tx.audit(row))
}
