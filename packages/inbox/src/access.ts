import type { ParticipantRole, Participation, Principal } from '@moorage/store'

/**
 * What an operation does to a task, as far as access goes. Push configs are not even read by watchers: a webhook's URL is often a secret.
 * `authorize` says that an authorisation which the task asked for has been given.
 */
export type Access = 'read' | 'send' | 'cancel' | 'push-config' | 'authorize'

/** What of a task decides about access to it. */
export interface TaskAccess {
  readonly agent: string
  readonly tenant: string
  readonly participants: readonly Participation[]
}

/** `not-found`: to this caller the task does not exist. `role`: it does, but the caller's role in it does not allow that. */
export type Decision = 'allow' | 'not-found' | 'role'

type Row = Readonly<Record<ParticipantRole, Exclude<Decision, 'not-found'>>>

/** Who may do what in a task. Of several roles, one that may is enough. */
const POLICY: Readonly<Record<Access, Row>> = {
  read: { assignee: 'allow', reporter: 'allow', admin: 'allow', watcher: 'allow' },
  send: { assignee: 'allow', reporter: 'allow', admin: 'allow', watcher: 'role' },
  cancel: { assignee: 'allow', reporter: 'allow', admin: 'allow', watcher: 'role' },
  'push-config': { assignee: 'allow', reporter: 'allow', admin: 'allow', watcher: 'role' },
  authorize: { assignee: 'role', reporter: 'allow', admin: 'allow', watcher: 'role' },
}

/**
 * The one access policy: within agent and tenant, only the acting participant's membership in the task grants access. What it does not know, a
 * role or an access of a later version, grants nothing.
 */
export function decide(principal: Principal, agent: string, operation: Access, access: TaskAccess): Decision {
  const { participant, tenant } = principal
  if (participant === '' || access.agent !== agent || access.tenant !== tenant) return 'not-found'
  const row = lookUp(POLICY, operation)
  if (row === undefined) return 'not-found'
  const decisions = access.participants.filter((entry) => entry.participant === participant).map(({ role }) => lookUp(row, role))
  if (decisions.includes('allow')) return 'allow'
  return decisions.includes('role') ? 'role' : 'not-found'
}

/** Only what the table says itself, since a name may come from a database. */
function lookUp<Name extends string, Value>(table: Readonly<Record<Name, Value>>, name: Name): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
