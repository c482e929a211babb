import type { ReceivedMessage, Sender, TurnContext } from '@moorage/agent'
import { decide } from '@moorage/inbox'
import type { TaskJson } from '@moorage/protocol'
import type { Principal } from '@moorage/store'
import { MisuseError } from './misuse-error.js'
import { persist } from './persist.js'
import type { ActivityPorts } from './ports.js'
import type { RunFence } from './run-fence.js'

const DEFAULT_LIMIT = 20
const MOST = 100

/** Whose turn looks around. */
interface Lookout {
  readonly ports: Pick<ActivityPorts, 'store' | 'agent'>
  readonly taskId: string
  readonly contextId: string
  readonly received: readonly ReceivedMessage[]
  readonly fence: RunFence
}

/** @throws MisuseError when the limit is no number of tasks */
export async function tasksOfContext(
  lookout: Lookout,
  { limit = DEFAULT_LIMIT }: Parameters<TurnContext['tasks']>[0] = {},
): Promise<readonly TaskJson[]> {
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST) {
    throw new MisuseError(`turn.context.tasks: limit must be a whole number from 1 to ${MOST}; it is ${limit}`)
  }
  const { ports, taskId, contextId, received, fence } = lookout
  const [first] = received
  if (!first) return []
  const query = { agent: ports.agent.id, contextId, pageSize: limit + 1, includeArtifacts: true }
  const { tasks } = await persist(fence, () => ports.store.list(query, principalOf(first.sender)))
  return tasks.filter(({ id }) => id !== taskId).slice(0, limit)
}

/** One task after the other: they may be large. */
export async function referencedTasks({ ports, received, fence }: Lookout): Promise<readonly TaskJson[]> {
  const found = new Map<string, TaskJson>()
  for (const { message, sender } of received) {
    for (const id of message.referenceTaskIds ?? []) {
      if (found.has(id)) continue
      const record = await persist(fence, () => ports.store.record(id))
      if (!record || decide(principalOf(sender), ports.agent.id, 'read', record) !== 'allow') continue
      const snapshot = await persist(fence, () => ports.store.get(id))
      if (snapshot) found.set(id, snapshot.task)
    }
  }
  return [...found.values()]
}

function principalOf(sender: Sender): Principal {
  return { ...sender, claims: {} }
}
