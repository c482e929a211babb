import { setTimeout as pause } from 'node:timers/promises'
import { probe } from '../probe.js'

/** A server on loopback that the proxy passes requests to. */
export interface Upstream {
  readonly port: number
}

export interface UpstreamsOptions {
  readonly ports: readonly number[]
  /** Pause between two probes of `/readyz`. @default 250 */
  readonly probeEveryMs?: number
}

const PROBE_TIMEOUT_MS = 2_000

/** Takes turns among the servers that are ready, as their `/readyz` tells. */
export class Upstreams {
  readonly #all: readonly Upstream[]
  readonly #ready = new Set<Upstream>()
  readonly #probeEveryMs: number
  #turn = 0

  constructor({ ports, probeEveryMs = 250 }: UpstreamsOptions) {
    this.#all = ports.map((port) => ({ port }))
    this.#probeEveryMs = probeEveryMs
  }

  /**
   * The next one that was not tried yet. Those that are ready come first; then the others, since one that is not ready can still refuse in the
   * protocol's own form, which the proxy cannot.
   */
  next(tried: ReadonlySet<Upstream>): Upstream | undefined {
    const turn = this.#turn++
    const inTurn = this.#all.map((_, index) => this.#all[(turn + index) % this.#all.length]).filter((one) => one !== undefined)
    const untried = inTurn.filter((one) => !tried.has(one))
    return untried.find((one) => this.#ready.has(one)) ?? untried[0]
  }

  /** It took no connection, or lost one: it is passed over until it answers a probe. */
  markDown(upstream: Upstream): void {
    this.#ready.delete(upstream)
  }

  /** Probes all of them until the signal. */
  async watch(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#all.map((upstream) => this.#watchOne(upstream, signal)))
  }

  async #watchOne(upstream: Upstream, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (await probe(`http://127.0.0.1:${upstream.port}/readyz`, PROBE_TIMEOUT_MS, signal)) this.#ready.add(upstream)
      else this.#ready.delete(upstream)
      await pause(this.#probeEveryMs, undefined, { signal }).catch(() => undefined)
    }
  }
}
