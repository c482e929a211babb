import type { StepContext } from '@moorage/agent'
import type { Redactor } from '@moorage/inbox'
import type { Json } from '@moorage/protocol'
import type { AppendResult } from '@moorage/store'
import { MAX_CHARACTERS } from './agent-message.js'
import { checkName, checkPath, refuseSecret } from './check-name.js'
import { MisuseError } from './misuse-error.js'
import { persist } from './persist.js'
import { type RunFence, StoppedError } from './run-fence.js'
import { StepScopes } from './step-scopes.js'
import { toStepValue } from './step-value.js'

/** The agent's code of one step. */
export type StepWork = (step: StepContext) => unknown

export interface TurnStepsOptions {
  readonly fence: RunFence
  /** What the keys of the steps begin with. */
  readonly turnKey: string
  readonly recorded: ReadonlyMap<string, Json>
  readonly redactor: Redactor
  /** Records what was written before the step, so that the log has the order of the code. */
  readonly flush: () => Promise<void>
  readonly record: (name: string, value: Json) => Promise<{ readonly result: AppendResult }>
}

/** Runs the steps of one turn: each until its value is recorded, then never again. */
export class TurnSteps {
  readonly #options: TurnStepsOptions
  readonly #calls = new Map<string, number>()
  readonly #scopes = new StepScopes()

  constructor(options: TurnStepsOptions) {
    this.#options = options
  }

  async run(name: string, work: StepWork): Promise<Json> {
    const { fence, turnKey, recorded, redactor } = this.#options
    fence.check()
    const { occurrence, path } = this.#nameOccurrence(name)
    const known = recorded.get(occurrence)
    if (known !== undefined) return known
    await fence.prove()
    const step = { key: `${turnKey}/${occurrence}`, signal: fence.signal }
    // The code gets what is recorded, at the first attempt as at every other.
    const value = redactor.json(toStepValue(name, await this.#scopes.run(name, path, () => work(step))))
    if (JSON.stringify(value).length > MAX_CHARACTERS) {
      throw new MisuseError(`turn.step(${JSON.stringify(name)}): the value may have at most ${MAX_CHARACTERS} characters as JSON`)
    }
    fence.check()
    await this.#record(occurrence, value)
    return value
  }

  /** @throws MisuseError inside a step, whose writes a retry would lose. */
  refuseInside(call: string): void {
    this.#scopes.refuseInside(call)
  }

  async #record(occurrence: string, value: Json): Promise<void> {
    const { fence, flush, record } = this.#options
    await flush()
    const { result } = await persist(fence, () => record(occurrence, value))
    if (result !== 'stale' && result !== 'terminal') return
    fence.raise(result)
    throw new StoppedError(result)
  }

  /**
   * `name`, then `name#2`, `name#3` …, by the order of the calls; inside a step after `outer#1/`, so that a retry which skips the outer step
   * counts the calls beside it as before.
   */
  #nameOccurrence(name: string): { readonly occurrence: string; readonly path: string } {
    checkName('turn.step: name', name)
    refuseSecret('turn.step: name', name, this.#options.redactor)
    if (/#\d/.test(name)) throw new MisuseError(`turn.step: name must have no number after "#"; it is ${JSON.stringify(name)}`)
    const full = `${this.#scopes.path}${name}`
    checkPath(full)
    const call = (this.#calls.get(full) ?? 0) + 1
    this.#calls.set(full, call)
    return { occurrence: call === 1 ? full : `${full}#${call}`, path: `${full}#${call}/` }
  }
}
