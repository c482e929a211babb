import type { TaskReader } from './task-reader.js'

/** One thing that must hold after the demo, in a sentence, and whether it does. */
export interface Finding {
  readonly claim: string
  readonly holds: boolean
}

export interface Evidence {
  readonly readers: readonly TaskReader[]
  /** How far the agent was to count. */
  readonly end: number
  /** The text of the task's artifact, as GetTask has it. */
  readonly recorded: string
  /** The processes that were to be killed, and those that were while the task ran. */
  readonly targets: readonly string[]
  readonly killed: readonly string[]
}

/** What the demo has shown. */
export function judge({ readers, end, recorded, targets, killed }: Evidence): readonly Finding[] {
  const expected = Array.from({ length: end }, (_, index) => `${index + 1}\n`).join('')
  const missed = targets.filter((name) => !killed.includes(name))
  const early = missed.length === 0 ? '' : `; the task was over before ${missed.join(', ')}`
  const [first, ...others] = readers.map(({ events }) => JSON.stringify(events))
  return [
    { claim: `killed while the task ran: ${killed.join(', ') || 'none'}${early}`, holds: missed.length === 0 },
    ...readers.flatMap(({ binding, folded, events, cuts }) => [
      { claim: `${binding}: the task ended as ${folded.state ?? 'unknown'}`, holds: folded.state === 'TASK_STATE_COMPLETED' },
      { claim: `${binding}: the artifact is 1 to ${end}, each number once and in order`, holds: folded.text === expected },
      {
        claim: `${binding}: ${events.length} events over ${cuts + 1} connections, their ids rising, none twice`,
        holds: events.every(({ id }, index) => index === 0 || id > (events[index - 1]?.id ?? 0)),
      },
    ]),
    { claim: 'both readers got the same events', holds: others.every((other) => other === first) },
    { claim: 'GetTask has the same artifact', holds: recorded === expected },
  ]
}
