import type { TaskJson } from '@moorage/protocol'
import type { TaskStore } from '@moorage/store'
import { persist } from './persist.js'
import type { RunFence } from './run-fence.js'

/** The task as it is recorded now. */
export async function loadTask(store: TaskStore, taskId: string, fence: RunFence): Promise<TaskJson> {
  const snapshot = await persist(fence, () => store.get(taskId))
  if (!snapshot) throw new Error('the task is not in the store any more')
  return snapshot.task
}
