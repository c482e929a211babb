import { setTimeout as sleep } from 'node:timers/promises'
import type { Removal } from '@moorage/store'
import type { RemovalRound } from '../contract/activities.js'
import type { RetentionInput } from '../contract/index.js'
import type { ActivityPorts } from './ports.js'

/** After this time the Activity ends, although there is more: a worker that stops need not wait for it. */
const LONGEST_ROUND_MS = 5000
/** Longer than any task can be old. */
const FOR_EVER_MS = Number.MAX_SAFE_INTEGER

/** What it works with. `retention`: what this worker is set to, if it is. */
export interface RemovalPorts extends Omit<ActivityPorts, 'redactor'> {
  readonly retention: RetentionInput | undefined
}

/**
 * Removes what has expired, one batch after the other, until nothing is left, the round is over or `signal` is aborted. Of what the run was started
 * with and what this worker is set to, the longer time counts: a run may have waited since before the setting was changed, or a Schedule not have
 * been brought up to date, and what is removed does not come back.
 */
export async function removeExpired(
  { store, agent, logger, retention }: RemovalPorts,
  input: RetentionInput,
  signal: AbortSignal,
): Promise<RemovalRound> {
  // Where all are kept, one that was being removed when a process died is removed all the same.
  const tasksMs = longer(input.tasksMs, retention?.tasksMs) || FOR_EVER_MS
  const auditMs = longer(input.auditMs, retention?.auditMs)
  const started = performance.now()
  const isOver = (): boolean => signal.aborted || performance.now() - started > LONGEST_ROUND_MS
  const removeTasks = () => store.removeTasks(agent.id, tasksMs)
  const removeAudit = () => store.removeAudit(agent.id, auditMs)
  const tasks = await removeAll(removeTasks, isOver)
  const audit = auditMs === 0 ? NOTHING : await removeAll(removeAudit, isOver)
  const round = { tasks: tasks.removed, auditRows: audit.removed, more: tasks.more || audit.more }
  if (round.tasks + round.auditRows > 0) logger.info({ agent: agent.id, ...round }, 'removed what has expired')
  return round
}

/** 0 is for ever. */
function longer(asked: number, own = asked): number {
  return asked === 0 || own === 0 ? 0 : Math.max(asked, own)
}

const NOTHING: Removal = { removed: 0, more: false }

/** Pauses for as long as each batch took: others must find the store free half of the time. */
async function removeAll(removeBatch: () => Promise<Removal>, isOver: () => boolean): Promise<Removal> {
  let removed = 0
  for (;;) {
    const started = performance.now()
    const batch = await removeBatch()
    removed += batch.removed
    if (!batch.more || isOver()) return { removed, more: batch.more }
    await sleep(performance.now() - started)
  }
}
