import type { Agent } from '@moorage/agent'
import type { Redactor } from '@moorage/inbox'
import type { TaskStore } from '@moorage/store'
import type { Logger } from '../logger.js'

/** What the Activities of one agent work with. Causes and texts go to `logger` and nowhere else. */
export interface ActivityPorts {
  readonly store: TaskStore
  readonly agent: Agent
  readonly logger: Logger
  /** Takes the secrets out of everything that the agent's code has recorded. */
  readonly redactor: Redactor
}

/** How often the agent's code may throw at the same turn or command; losses that are not its fault do not count. */
export const MAX_ATTEMPTS = 5
