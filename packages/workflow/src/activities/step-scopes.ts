import { AsyncLocalStorage } from 'node:async_hooks'
import { MisuseError } from './misuse-error.js'

interface Scope {
  readonly owner: StepScopes
  readonly name: string
  /** Where the names of the steps inside begin. */
  readonly path: string
  readonly outer: Scope | undefined
  over: boolean
  refusal?: MisuseError
}

const scopes = new AsyncLocalStorage<Scope>()

/** Knows which of a turn's steps, if any, the running code is inside of. */
export class StepScopes {
  /** What the names of steps that are called here begin with: nothing outside of a step. */
  get path(): string {
    return this.#innermost()?.path ?? ''
  }

  /** Runs a step's code. One that wrote fails, also where it did not await the refusal. */
  async run<T>(name: string, path: string, work: () => T | Promise<T>): Promise<T> {
    const scope: Scope = { owner: this, name, path, outer: this.#innermost(), over: false }
    try {
      const value = await scopes.run(scope, work)
      if (scope.refusal) throw scope.refusal
      return value
    } finally {
      scope.over = true
    }
  }

  /** @throws MisuseError inside a step. */
  refuseInside(call: string): void {
    const scope = this.#innermost()
    if (!scope) return
    scope.refusal ??= new MisuseError(
      `${call} inside turn.step(${JSON.stringify(scope.name)}): a retried turn skips a recorded step, and with it what the step wrote. ` +
        'Return the value from the step and write it afterwards; to stream it, do without the step',
    )
    throw scope.refusal
  }

  /** Callbacks that a step has left behind are inside of it no more. */
  #innermost(): Scope | undefined {
    let scope = scopes.getStore()
    while (scope && (scope.over || scope.owner !== this)) scope = scope.outer
    return scope
  }
}
