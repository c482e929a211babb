import type { Participation, Principal } from '@moorage/store'

/** What an operation does to a task, as far as access goes. Push configs are not even read by watchers: a webhook's URL is often a secret. */
export type Access = 'read' | 'send' | 'cancel' | 'push-config'

/** What of a task decides about access to it. */
export interface TaskAccess {
  readonly agent: string
  readonly tenant: string
  readonly participants: readonly Participation[]
}

/** `not-found`: to this caller the task does not exist. `role`: it does, but a watcher may only read. */
export type Decision = 'allow' | 'not-found' | 'role'

/** The one access policy: within agent and tenant, only the acting participant's membership in the task grants access. */
export function decide(principal: Principal, agent: string, operation: Access, access: TaskAccess): Decision {
  if (access.agent !== agent || access.tenant !== principal.tenant) return 'not-found'
  const roles = access.participants.filter((entry) => entry.participant === principal.participant).map((entry) => entry.role)
  if (roles.length === 0) return 'not-found'
  if (operation !== 'read' && roles.every((role) => role === 'watcher')) return 'role'
  return 'allow'
}
