import type pg from 'pg'
import { Bells, type Waiter } from '../follow/bells.js'
import { LateFollowers } from '../follow/late-followers.js'
import { Listener } from './listener.js'
import { fromPayload, Notifier } from './notifier.js'
import type { Transactor } from './transactor.js'

const CHECK_MS = 1000

export interface ChangeSignalsOptions {
  readonly client: pg.ClientConfig
  readonly channel: string
  readonly random: () => number
  /** How long the server may take to answer whether it still tells us. */
  readonly answerMs: number
}

/**
 * Tells followers of new entries: of this process's commits at once, of another process's when it notifies. Once a second, and whenever the
 * listening connection was made anew, it looks whether anybody was forgotten.
 */
export class ChangeSignals {
  readonly #bells = new Bells(
    () => this.#start(),
    () => clearInterval(this.#timer),
  )
  readonly #options: ChangeSignalsOptions
  readonly #late: LateFollowers
  readonly #notifier: Notifier
  #listener: Listener | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(transactor: Transactor, options: ChangeSignalsOptions) {
    this.#options = options
    this.#late = new LateFollowers(this.#bells, (read) => transactor.readOne(read))
    this.#notifier = new Notifier((payloads) =>
      transactor.ask((session) =>
        session.ask('select pg_notify($1, payload) from unnest($2::text[]) as payload', [options.channel, payloads]),
      ),
    )
  }

  listen(taskId: string, waiter: Waiter): () => void {
    return this.#bells.listen(taskId, waiter)
  }

  announce(changes: ReadonlyMap<string, number>): void {
    this.#ring(changes)
    this.#notifier.add(changes)
  }

  /** Makes everybody read, and so find that the store is closed. */
  announceAll(): void {
    this.#bells.ringAll()
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#listener?.close()
    await this.#notifier.idle()
  }

  #ring(changes: Iterable<readonly [taskId: string, seq: number]>): void {
    for (const [taskId, seq] of changes) this.#bells.ring(taskId, seq)
  }

  /** The first follower makes the connection, which then stays. */
  #start(): void {
    this.#timer = setInterval(() => this.#late.ring(), CHECK_MS)
    this.#listener ??= new Listener({
      ...this.#options,
      onPayload: (payload) => this.#heard(payload),
      onListening: () => this.#late.ring(),
    })
  }

  #heard(payload: string): void {
    try {
      this.#ring(fromPayload(payload))
    } catch {
      // Not one of ours: anybody may notify.
      this.#late.ring()
    }
  }
}
