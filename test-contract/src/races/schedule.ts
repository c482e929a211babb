import type { Fence, Scheduling } from '@moorage/store'
import fc from 'fast-check'
import type { Answer } from './race.js'
import type { EndKind, Request } from './request.js'

/**
 * The executions of Activities: two attempts of one scheduling, as Temporal makes them, and one of a run that was started again from the store.
 * Whichever opens a turn last has it; the others go on as zombies.
 */
const EXECUTIONS = ['old 1', 'old 2', 'new 1'] as const
export type Execution = (typeof EXECUTIONS)[number]

/** What somebody does next, with what they know by then. */
export type Step =
  | { readonly step: 'send'; readonly name: string }
  | { readonly step: 'cancel' | 'settle' | 'sweep' }
  | { readonly step: 'open' | 'step' | 'stumble' | 'claim' | 'reply' | 'stumble in command'; readonly by: Execution }
  /** `again`: the batch before, once more. */
  | { readonly step: 'append'; readonly by: Execution; readonly again: boolean }
  | { readonly step: 'end'; readonly by: Execution; readonly outcome: EndKind }

/** Who is asked for a step. */
export type Move = Step & { readonly replica: 0 | 1 }

/** Bursts of steps: those of one burst come at once. Two replicas get the first message at once as well. */
export interface Schedule {
  readonly first: string
  readonly bursts: readonly (readonly Move[])[]
}

const by = fc.constantFrom(...EXECUTIONS)
const of = <T extends string>(...steps: readonly T[]) => fc.constantFrom(...steps)

// What makes a schedule go on is more likely than what ends it.
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ step: of('send'), name: of('first', 'm1', 'm2', 'm3', 'c1', 'c2', 'c3') }) },
  { weight: 6, arbitrary: fc.record({ step: of('open', 'open', 'open', 'claim', 'claim'), by }) },
  { weight: 3, arbitrary: fc.record({ step: of('append'), by, again: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ step: of('end'), by, outcome: of('complete', 'complete', 'fail', 'ask', 'park', 'park') }) },
  { weight: 4, arbitrary: fc.record({ step: of('reply', 'reply', 'step', 'stumble', 'stumble in command'), by }) },
  { weight: 2, arbitrary: fc.record({ step: of('cancel', 'settle', 'settle', 'sweep') }) },
)

const move: fc.Arbitrary<Move> = fc.tuple(step, fc.constantFrom<0 | 1>(0, 1)).map(([what, replica]) => ({ ...what, replica }))

const burst = fc.array(move, { minLength: 1, maxLength: 4 }).map((moves) => [moves])

/** An execution that nobody gets in the way of: without it, few tasks would come to rest. */
const work = fc
  .record({ by, replica: fc.constantFrom<0 | 1>(0, 1), outcome: of('park', 'ask', 'complete') })
  .map((it): Move[][] => [[{ step: 'open', ...it }], [{ step: 'append', again: false, ...it }], [{ step: 'end', ...it }]])

export const schedules: fc.Arbitrary<Schedule> = fc.record({
  first: fc.constantFrom('m0', 'c0'),
  bursts: fc
    .array(fc.oneof({ weight: 6, arbitrary: burst }, { weight: 1, arbitrary: work }), { maxLength: 14, size: 'max' })
    .map((parts) => parts.flat()),
})

/** What an execution goes on with. */
interface Known {
  turn?: { readonly fence: Fence; batch: number }
  command?: { readonly position: number; readonly claim: number }
}

/** What the executions of one race know, as each would in its own process. */
export class Executions {
  readonly #known = new Map<string, Known>()
  readonly #race: string

  constructor(race: string) {
    this.#race = race
  }

  /** The request of a step; undefined where the execution has nothing yet to do it with. */
  request(move: Step, first: string): Request | undefined {
    const { turn, command }: Known = 'by' in move ? this.#knownTo(move.by) : {}
    switch (move.step) {
      case 'send':
        return { kind: 'send', name: move.name === 'first' ? first : move.name, first: move.name === 'first' }
      case 'cancel':
      case 'settle':
      case 'sweep':
        return { kind: move.step }
      case 'open':
      case 'claim':
        return { kind: move.step, scheduling: this.#scheduling(move.by) }
      case 'append':
        return turn && { kind: 'append', fence: turn.fence, batch: turn.batch + (move.again && turn.batch > 0 ? 0 : 1) }
      case 'end':
        return turn && { kind: 'end', fence: turn.fence, outcome: move.outcome }
      case 'step':
      case 'stumble':
        return turn && { kind: move.step, fence: turn.fence }
      case 'reply':
      case 'stumble in command':
        return command && { kind: move.step, ...command }
    }
  }

  /** What an execution learns from an answer. */
  learn(move: Step, request: Request, { text, turn, command }: Answer): void {
    if (!('by' in move)) return
    const known = this.#knownTo(move.by)
    if (turn) known.turn = { ...turn }
    if (command) known.command = command
    if (request.kind === 'append' && text === 'appended' && known.turn?.fence.attempt === request.fence.attempt)
      known.turn.batch = Math.max(known.turn.batch, request.batch)
  }

  #scheduling(name: string): Scheduling {
    const [run, attempt] = name.split(' ')
    return { id: `${this.#race}/${run}`, attempt: Number(attempt) }
  }

  #knownTo(name: string): Known {
    const known = this.#known.get(name) ?? {}
    this.#known.set(name, known)
    return known
  }
}
