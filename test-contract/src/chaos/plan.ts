import { BINDINGS, type Binding } from '../clients.js'
import { type Backend, type Fault, faultsOn } from './fault.js'
import type { Options } from './options.js'
import { Random } from './random.js'

/** What a task does, and how its client goes about it. */
export type Scenario = 'stream' | 'question' | 'follow-up' | 'commands' | 'cancel' | 'fail' | 'direct'

export interface TaskPlan {
  /** Unlike any other's; also the name of its counters and gates. */
  readonly label: string
  readonly scenario: Scenario
  readonly binding: Binding
  /** How the first message is sent: as a stream, at once answered and then followed, or waited for. */
  readonly how: 'stream' | 'follow' | 'wait'
  readonly chunks: number
  readonly everyMs: number
  /** When it is sent, after the begin of the round. */
  readonly afterMs: number
  /** What decides which agent its client turns to. */
  readonly seed: number
}

export interface Round {
  readonly number: number
  readonly faults: readonly Fault[]
  readonly tasks: readonly TaskPlan[]
}

const SCENARIOS: readonly Scenario[] = ['stream', 'stream', 'question', 'follow-up', 'commands', 'cancel', 'fail', 'direct']
const TASKS = 5
/** Of ten rounds, how many have two faults at once. */
const DOUBLES = 2

/** All that is decided before anything runs: a seed is the same plan, whatever the number of rounds. */
export function planRounds({ seed, rounds, on }: Options): readonly Round[] {
  const random = new Random(seed)
  const draw = createDeck(random, on)
  return Array.from({ length: rounds }, (_, index) => planRound(random, draw, index + 1))
}

type Draw = (without?: string) => Pick<Fault, 'target' | 'kind'>

/** Every fault comes up once before any of them comes up again. */
function createDeck(random: Random, on: Backend): Draw {
  let deck: Pick<Fault, 'target' | 'kind'>[] = []
  return (without) => {
    if (!deck.some(({ target }) => target !== without)) deck = [...deck, ...random.shuffled(faultsOn(on))]
    const [drawn] = deck.splice(
      deck.findIndex(({ target }) => target !== without),
      1,
    )
    if (drawn === undefined) throw new RangeError('The deck is empty')
    return drawn
  }
}

function planRound(random: Random, draw: Draw, number: number): Round {
  const first = planFault(random, draw())
  const faults = random.integer(1, 10) <= DOUBLES ? [first, planFault(random, draw(first.target))] : [first]
  const tasks = Array.from({ length: TASKS }, (_, index) => planTask(random, `r${number}t${index + 1}`))
  return { number, faults, tasks }
}

function planFault(random: Random, { target, kind }: Pick<Fault, 'target' | 'kind'>): Fault {
  const forMs = kind === 'kill' ? random.integer(0, 800) : random.integer(300, 4000)
  return { target, kind, afterMs: random.integer(200, 1800), forMs, silent: random.integer(0, 1) === 1 && kind === 'cut' }
}

function planTask(random: Random, label: string): TaskPlan {
  return {
    label,
    scenario: random.pick(SCENARIOS),
    binding: random.pick(BINDINGS),
    how: random.pick(['stream', 'follow', 'wait']),
    chunks: random.integer(5, 60),
    everyMs: random.integer(0, 40),
    afterMs: random.integer(0, 1500),
    seed: random.integer(0, 4_294_967_295),
  }
}
