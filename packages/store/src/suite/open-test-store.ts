import type { TaskStore } from '../task-store.js'

/** Opens a new, empty store that is closed when the test ends. Its wakes are due at once. */
export type OpenTestStore = () => Promise<TaskStore>
