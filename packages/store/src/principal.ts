/** Who is calling, as the server resolved it. `participant` is the name under which the caller acts in a task. */
export interface Principal {
  readonly tenant: string
  readonly subject: string
  readonly participant: string
  readonly claims: Readonly<Record<string, unknown>>
}

/** Who sent a message: a principal as far as it is recorded. */
export type Sender = Omit<Principal, 'claims'>

/** The caller where nobody is authenticated: all such callers are one. */
export const ANONYMOUS: Principal = { tenant: '', subject: 'anonymous', participant: 'anonymous', claims: {} }

/** What a participant may do in a task; an id may hold several roles. */
export type ParticipantRole = 'assignee' | 'reporter' | 'watcher' | 'admin'

/** One role of one participant in a task. */
export interface Participation {
  readonly participant: string
  readonly role: ParticipantRole
}
