import type { Logger } from '../logger.js'
import { addressOf, namespaceOf, type TemporalOptions } from '../temporal-options.js'
import type { TemporalFault, TemporalFaultKind, TemporalStatus } from './temporal-fault.js'
import { TemporalProbe } from './temporal-probe.js'

/** How old the last look may be before a question for the status has the next one made. */
const FRESH_MS = 2000

/** Knows how Temporal is, and tells it once whenever that changes. */
export class TemporalWatch {
  readonly #probe: TemporalProbe
  readonly #logger: Logger
  readonly #place: object
  #status: TemporalStatus = { connected: false }
  #told: TemporalFaultKind | undefined
  #lookedAt = Number.NEGATIVE_INFINITY
  #looking: Promise<TemporalStatus> | undefined
  #closed = false

  /** @throws TypeError that names the option of the connection which is wrong. */
  constructor(temporal: TemporalOptions, logger: Logger) {
    this.#probe = new TemporalProbe(temporal, logger)
    this.#logger = logger
    this.#place = { address: addressOf(temporal), namespace: namespaceOf(temporal) }
  }

  /** What the last look saw; has a new one made where that is old. */
  status(): TemporalStatus {
    if (performance.now() - this.#lookedAt > FRESH_MS) void this.check()
    return this.#status
  }

  /** Looks now. Never rejects. */
  check(): Promise<TemporalStatus> {
    if (this.#closed) return Promise.resolve(this.#status)
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  /** A call has been answered: nothing is unreachable. Other faults may still be there. */
  answered(): void {
    if (this.#told === undefined || this.#told === 'unreachable') this.#observe(undefined)
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#looking
    await this.#probe.close()
    this.#status = { connected: false }
  }

  async #look(): Promise<TemporalStatus> {
    this.#observe(await this.#probe.check())
    return this.#status
  }

  #observe(fault: TemporalFault | undefined): void {
    this.#lookedAt = performance.now()
    this.#status = fault ? { connected: false, fault } : { connected: true }
    if (fault?.kind === this.#told) return
    this.#told = fault?.kind
    if (!fault) this.#logger.info(this.#place, 'Temporal answers again')
    else this.#logger[fault.kind === 'unreachable' ? 'warn' : 'error'](this.#place, `${fault.message}; until then, what is accepted waits`)
  }
}
