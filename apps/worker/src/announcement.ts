import type { Agent } from '@moorage/agent'

export interface AnnouncementOptions {
  readonly agents: readonly Agent[]
  /** Address of Temporal. */
  readonly temporal: string
  /** Why Temporal cannot be used yet, as a sentence without its full stop. */
  readonly temporalFault: string | undefined
  /** Where the tasks are. */
  readonly store: string
  readonly healthUrl: string | undefined
  /** What else has to be done, such as making its version the current one. */
  readonly notes: readonly string[]
}

/** What a person at the terminal is told once the worker works. */
export function announcement({ agents, temporal, temporalFault, store, healthUrl, notes }: AnnouncementOptions): string {
  const ids = agents.map(({ id }) => `"${id}"`).join(', ')
  const rows = [['Temporal', temporal], ['Store', store], ...(healthUrl === undefined ? [] : [['Health', `${healthUrl}/readyz`]])]
  const lines = rows.map(([name = '', where = '']) => `  ${name.padEnd(10)}  ${where}`)
  const away = temporalFault === undefined ? [] : [`${temporalFault}. Until then, tasks wait.`, '']
  return [
    '',
    `Turns and commands of ${agents.length === 1 ? 'agent' : 'agents'} ${ids} run here.`,
    '',
    ...away,
    ...notes,
    ...lines,
    '',
    '',
  ].join('\n')
}
