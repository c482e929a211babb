import { isTerminal, type TaskState } from '@moorage/protocol'
import type { Authorization, AuthorizationState, Principal, TaskRecord, TaskStore, TaskTransaction } from '@moorage/store'
import { decide } from './access.js'
import { auditOutcome } from './audit-outcome.js'
import type { Reception, Refusal } from './reception.js'

/**
 * Why an authorisation was refused; it has left nothing but its audit row.
 *
 * - `task-not-found`: no such task, or none that the caller may see;
 * - `role`: the caller is neither a reporter nor an admin of it;
 * - `scheme`: it waits for another one;
 * - `not-waiting`: it waits for none, in `state`;
 * - `terminal`: it has ended, in `state`.
 */
export type AuthorizationRefusal =
  | { readonly result: 'refused'; readonly reason: 'task-not-found' | 'role' | 'scheme'; readonly taskId: string }
  | { readonly result: 'refused'; readonly reason: 'not-waiting' | 'terminal'; readonly taskId: string; readonly state: TaskState }

export type AuthorizationReception = Exclude<Reception, Refusal> | AuthorizationRefusal

/**
 * Says that the authorisation is there which the task asks for (A2A §7.6.1): it goes on with its request. The same caller's word again, once the task
 * does not wait for it any more, gets its first receipt.
 * @param scheme must be the one that is asked for; undefined: whichever that is
 * @throws StoreUnavailableError when nothing could be recorded.
 */
export async function authorize(
  store: TaskStore,
  agent: string,
  principal: Principal,
  taskId: string,
  scheme?: string,
): Promise<AuthorizationReception> {
  return store.transact([taskId], async (tx) => {
    const reception = await decideAuthorization(tx, agent, principal, taskId, scheme)
    await tx.audit({ ...auditOutcome(reception), agent, principal, operation: 'authorize', taskId })
    return reception
  })
}

async function decideAuthorization(
  tx: TaskTransaction,
  agent: string,
  principal: Principal,
  taskId: string,
  scheme: string | undefined,
): Promise<AuthorizationReception> {
  const [task, state] = await Promise.all([tx.task(taskId), tx.authorization(taskId)])
  const access = task ? decide(principal, agent, 'authorize', task) : 'not-found'
  if (!task || access === 'not-found') return { result: 'refused', reason: 'task-not-found', taskId }
  if (access === 'role') return { result: 'refused', reason: 'role', taskId }
  if (state?.asked === undefined) return repeated(state?.given, principal, scheme) ?? notWaiting(task)
  if (scheme !== undefined && scheme !== state.asked) return { result: 'refused', reason: 'scheme', taskId }
  const receipt = await tx.authorize(taskId, { scheme: state.asked, sender: principal })
  return { result: 'accepted', kind: 'authorization', handled: false, receipt }
}

/** The receipt of the last authorisation, where it is the same caller's for the same. */
function repeated(
  given: AuthorizationState['given'],
  principal: Principal,
  scheme: string | undefined,
): AuthorizationReception | undefined {
  if (!given || !isBy(given.authorization, principal)) return undefined
  if (scheme !== undefined && scheme !== given.authorization.scheme) return undefined
  return { result: 'accepted', kind: 'authorization', handled: given.handled, receipt: given.receipt }
}

function isBy({ by }: Authorization, { tenant, subject, participant }: Principal): boolean {
  return by.tenant === tenant && by.subject === subject && by.participant === participant
}

function notWaiting({ id, state }: TaskRecord): AuthorizationRefusal {
  return { result: 'refused', reason: isTerminal(state) ? 'terminal' : 'not-waiting', taskId: id, state }
}
