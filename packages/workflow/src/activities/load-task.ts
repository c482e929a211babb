import type { TaskJson } from '@moorage/protocol'
import type { TaskStore } from '@moorage/store'
import { persist } from './persist.js'
import { type RunFence, StoppedError } from './run-fence.js'

/** The task as it is recorded now. @throws StoppedError where it has been removed. */
export async function loadTask(store: TaskStore, taskId: string, fence: RunFence): Promise<TaskJson> {
  const snapshot = await persist(fence, () => store.get(taskId))
  if (snapshot) return snapshot.task
  fence.raise('terminal')
  throw new StoppedError('terminal')
}
