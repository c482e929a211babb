/** What has been started, to be stopped in the opposite order. */
export class Teardown {
  readonly #steps: { readonly name: string; readonly stop: () => Promise<void> }[] = []
  readonly #onStop: (name: string) => void

  /** @param onStop is told what is being stopped. */
  constructor(onStop: (name: string) => void) {
    this.#onStop = onStop
  }

  add(name: string, stop: () => Promise<void>): void {
    this.#steps.push({ name, stop })
  }

  /** Stops the last first, one after the other. Those that fail do not keep the others running; their errors come together. */
  async run(): Promise<void> {
    const errors: unknown[] = []
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      this.#onStop(step.name)
      await step.stop().catch((error: unknown) => errors.push(error))
    }
    if (errors.length > 0) throw new AggregateError(errors, 'The cluster could not be stopped in order.')
  }
}
