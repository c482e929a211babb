import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { Session } from './session.js'

const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 5000

export interface ListenerOptions {
  readonly client: pg.ClientConfig
  readonly channel: string
  readonly random: () => number
  /** How long the server may take to answer, in milliseconds, and how often it is asked. */
  readonly answerMs: number
  readonly onPayload: (payload: string) => void
  /** Called whenever it listens anew: what was told before may have been missed. */
  readonly onListening: () => void
}

/** The one connection of the process that hears what other processes tell. Made again, after a growing pause, whenever it is lost. */
export class Listener {
  readonly #options: ListenerOptions
  readonly #stop = new AbortController()
  readonly #running: Promise<void>

  constructor(options: ListenerOptions) {
    this.#options = options
    this.#running = this.#run()
  }

  async close(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop
    for (let tries = 0; !signal.aborted; tries++) {
      if (await this.#listen()) tries = 0
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS) * (0.5 + this.#options.random())
      await sleep(pause, undefined, { signal }).catch(() => {})
    }
  }

  /** Listens until the connection is lost; false when there was none. */
  async #listen(): Promise<boolean> {
    const session = new Session(this.#options.client)
    const over = new AbortController()
    const lost = new Promise<void>((resolve) => session.once('end', resolve))
    const stop = () => session.destroy()
    this.#stop.signal.addEventListener('abort', stop)
    try {
      await session.connect()
      session.on('notification', ({ payload = '' }) => this.#options.onPayload(payload))
      await this.#ask(session)
      this.#options.onListening()
      void this.#probe(session, over.signal)
      await lost
      return true
    } catch {
      session.destroy()
      return false
    } finally {
      over.abort()
      this.#stop.signal.removeEventListener('abort', stop)
    }
  }

  /** A hung server, or a proxy before it, may keep a connection open that hears nothing any more. */
  async #probe(session: Session, over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      await sleep(this.#options.answerMs, undefined, { signal: over }).catch(() => {})
      if (!over.aborted) await this.#ask(session).catch(() => session.destroy())
    }
  }

  /** To listen once more is to ask whether the server is there. */
  async #ask(session: Session): Promise<void> {
    const timer = setTimeout(() => session.destroy(), this.#options.answerMs)
    try {
      await session.ask(`listen ${pg.escapeIdentifier(this.#options.channel)}`)
    } finally {
      clearTimeout(timer)
    }
  }
}
