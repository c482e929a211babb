import type { InboxKind, Waiting } from '@moorage/store'

/** One wake of one task. */
export interface Wake {
  readonly agent: string
  readonly taskId: string
  readonly unhandled: readonly Waiting[]
}

interface Queued {
  wake: Wake
  readonly sent: Promise<void>
}

/** Sends wakes, one at a time for each task: what comes while one is on its way goes together in the next one. */
export class MergedWakes {
  readonly #send: (wake: Wake) => Promise<void>
  readonly #running = new Map<string, Promise<void>>()
  readonly #queued = new Map<string, Queued>()

  /** `send` must not reject. */
  constructor(send: (wake: Wake) => Promise<void>) {
    this.#send = send
  }

  /** Resolves when this wake, or the one that it went with, has been sent. */
  deliver(wake: Wake): Promise<void> {
    const key = `${wake.agent}/${wake.taskId}`
    const queued = this.#queued.get(key)
    if (queued) {
      queued.wake = merge(queued.wake, wake)
      return queued.sent
    }
    const running = this.#running.get(key)
    if (!running) return this.#start(key, wake)
    const sent = running.then(() => this.#startQueued(key))
    this.#queued.set(key, { wake, sent })
    return sent
  }

  /** Resolves when nothing is on its way. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values())
  }

  #start(key: string, wake: Wake): Promise<void> {
    const running = this.#send(wake).then(() => {
      if (!this.#queued.has(key)) this.#running.delete(key)
    })
    this.#running.set(key, running)
    return running
  }

  async #startQueued(key: string): Promise<void> {
    const queued = this.#queued.get(key)
    this.#queued.delete(key)
    if (queued) await this.#start(key, queued.wake)
  }
}

/** The positions of both. One that only asks to look adds nothing: whoever runs a position looks as well. */
function merge(one: Wake, other: Wake): Wake {
  const kinds = new Map<number, InboxKind>()
  for (const { position, kind } of [...one.unhandled, ...other.unhandled]) kinds.set(position, kind)
  return { ...one, unhandled: [...kinds].map(([position, kind]) => ({ position, kind })) }
}
