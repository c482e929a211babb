import type { ParticipantRole, Participation } from './principal.js'
import type { TaskParticipantsTable } from './schema.js'

type Row = Pick<TaskParticipantsTable, 'participant' | 'roles'>

/**
 * A row a participant: an id may hold several roles.
 * @throws TypeError for the name of nobody: whoever is no participant would be one of the task
 */
export function toRows(participations: readonly Participation[]): readonly Row[] {
  const roles = new Map<string, Set<ParticipantRole>>()
  for (const { participant, role } of participations) {
    if (participant === '') throw new TypeError('A participant of a task must have a name')
    roles.set(participant, (roles.get(participant) ?? new Set()).add(role))
  }
  return [...roles].map(([participant, held]) => ({ participant, roles: JSON.stringify([...held].sort()) }))
}

export function fromRows(rows: readonly Row[]): readonly Participation[] {
  return rows.flatMap(({ participant, roles }) => (JSON.parse(roles) as ParticipantRole[]).map((role) => ({ participant, role })))
}
