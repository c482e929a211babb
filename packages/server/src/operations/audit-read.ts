import { TaskNotFoundError } from '@a2a-js/sdk/errors'
import { auditRefusal } from '@moorage/inbox/receive'
import { type Principal, UnknownTaskError } from '@moorage/store'
import type { OperationContext } from './context.js'
import type { Audited } from './enter.js'

/** Runs what reads a task, and puts into the audit, before anybody is told, that the caller found none: a stranger's look leaves a trace too. */
export async function auditRead<T>(context: OperationContext, principal: Principal, audited: Audited, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof TaskNotFoundError || error instanceof UnknownTaskError)
      await auditRefusedRead(context, principal, audited, 'task-not-found')
    throw error
  }
}

/** @throws StoreUnavailableError when nothing could be recorded */
export async function auditRefusedRead(
  { store, agent }: OperationContext,
  principal: Principal,
  audited: Audited,
  reason: string,
): Promise<void> {
  await auditRefusal(store, { ...audited, agent: agent.id, principal, reason })
}
