import type { StepContext } from '@moorage/agent'
import type { Json } from '@moorage/protocol'
import type { AppendResult } from '@moorage/store'
import { persist } from './persist.js'
import { type RunFence, StoppedError } from './run-fence.js'
import { toStepValue } from './step-value.js'

/** The agent's code of one step. */
export type StepWork = (step: StepContext) => unknown

export interface TurnStepsOptions {
  readonly fence: RunFence
  /** What the keys of the steps begin with. */
  readonly turnKey: string
  readonly recorded: ReadonlyMap<string, Json>
  /** Records what was written before the step, so that the log has the order of the code. */
  readonly flush: () => Promise<void>
  readonly record: (name: string, value: Json) => Promise<{ readonly result: AppendResult }>
}

/** Runs the steps of one turn: each until its value is recorded, then never again. */
export class TurnSteps {
  readonly #options: TurnStepsOptions
  readonly #calls = new Map<string, number>()

  constructor(options: TurnStepsOptions) {
    this.#options = options
  }

  async run(name: string, work: StepWork): Promise<Json> {
    const { fence, turnKey, recorded } = this.#options
    fence.check()
    const occurrence = this.#nameOccurrence(name)
    const known = recorded.get(occurrence)
    if (known !== undefined) return known
    const value = toStepValue(name, await work({ key: `${turnKey}/${occurrence}`, signal: fence.signal }))
    fence.check()
    await this.#record(occurrence, value)
    return value
  }

  async #record(occurrence: string, value: Json): Promise<void> {
    const { fence, flush, record } = this.#options
    await flush()
    const { result } = await persist(fence, () => record(occurrence, value))
    if (result !== 'stale' && result !== 'terminal') return
    fence.raise(result)
    throw new StoppedError(result)
  }

  /** `name`, then `name#2`, `name#3` …, by the order of the calls. */
  #nameOccurrence(name: string): string {
    if (typeof name !== 'string' || name === '' || /#\d+$/.test(name)) {
      throw new TypeError(`turn.step: name must be a non-empty string that does not end in "#" and a number; it is ${JSON.stringify(name)}`)
    }
    const call = (this.#calls.get(name) ?? 0) + 1
    this.#calls.set(name, call)
    return call === 1 ? name : `${name}#${call}`
  }
}
