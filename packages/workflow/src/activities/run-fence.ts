/**
 * Why running code must stop. `terminal`: the task has ended; `stale`: another attempt writes now; `timeout`: its time is up; `outage`: so it is,
 * and some of it went to a store that was away; `shutdown`: the process ends; `cancelled`: the Activity was cancelled; `over`: it has returned.
 */
export type StopReason = 'terminal' | 'stale' | 'timeout' | 'outage' | 'shutdown' | 'cancelled' | 'over'

const SENTENCES: Readonly<Record<StopReason, string>> = {
  terminal: 'the task has ended',
  stale: 'another attempt has taken over',
  timeout: 'its time is up',
  outage: 'its time is up, and the store was away',
  shutdown: 'the process shuts down',
  cancelled: 'its Activity was cancelled',
  over: 'it has already returned',
}

/** What the agent's code gets from every method once it must stop: nothing that it does from then on is recorded. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError'

  constructor(reason: StopReason) {
    super(`This run has been stopped: ${SENTENCES[reason]}`)
  }
}

/** Stands between one run of the agent's code and the store: once raised, nothing passes, and nobody waits for the code any more. */
export class RunFence {
  readonly #controller = new AbortController()
  readonly #raised: Promise<undefined>
  readonly #look: (fence: RunFence) => Promise<void>
  #reason: StopReason | undefined
  #storeWasAway = false

  /** `look` raises the fence where the store says that it is down. */
  constructor(look: (fence: RunFence) => Promise<void> = async () => {}) {
    this.#look = look
    this.#raised = new Promise((resolve) => {
      this.signal.addEventListener('abort', () => resolve(undefined), { once: true })
    })
  }

  /** What the agent's code may listen to. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get reason(): StopReason | undefined {
    return this.#reason
  }

  /** Tells that the run has waited for a store that was away: that its time is up is then not the fault of its code. */
  noteOutage(): void {
    this.#storeWasAway = true
  }

  /** The time of the run is up. */
  expire(): void {
    this.raise(this.#storeWasAway ? 'outage' : 'timeout')
  }

  /** The first reason stays. */
  raise(reason: StopReason): void {
    if (this.#reason !== undefined) return
    this.#reason = reason
    this.#controller.abort(new StoppedError(reason))
  }

  /** @throws StoppedError once the fence is raised. */
  check(): void {
    if (this.#reason !== undefined) throw new StoppedError(this.#reason)
  }

  /**
   * Asks the store whether the fence still stands: a process that was stopped for a while has not heard yet of the attempt that took over.
   * @throws StoppedError once the fence is raised.
   */
  async prove(): Promise<void> {
    this.check()
    await this.#look(this)
    this.check()
  }

  /** What `work` comes to, or undefined as soon as the fence is raised, whether or not `work` ever ends. */
  async race<T>(work: Promise<T>): Promise<{ readonly value: T } | undefined> {
    // Code that is left behind may still fail; nobody is there to hear it.
    work.catch(() => {})
    try {
      const first = await Promise.race([work.then((value) => ({ value })), this.#raised])
      return this.#reason === undefined ? first : undefined
    } catch (error) {
      if (this.#reason !== undefined) return undefined
      throw error
    }
  }
}
