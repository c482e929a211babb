import type { MessageJson } from '@moorage/protocol'
import type { Principal, TaskTransaction } from '@moorage/store'
import { decide } from './access.js'

/** The place, in `referenceTaskIds`, of the first task that does not exist for the sender; undefined where all of them do. */
export async function findUnknownReference(
  tx: TaskTransaction,
  agent: string,
  principal: Principal,
  { referenceTaskIds = [] }: MessageJson,
): Promise<number | undefined> {
  if (referenceTaskIds.length === 0) return undefined
  const tasks = await tx.tasks(referenceTaskIds)
  const index = referenceTaskIds.findIndex((id) => {
    const task = tasks.get(id)
    return task === undefined || decide(principal, agent, 'read', task) !== 'allow'
  })
  return index === -1 ? undefined : index
}
