import { EventEmitter, once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { type Folded, fold, NOTHING, takesBack } from './fold.js'
import { type Binding, openStream, type StreamEvent, StreamRefusedError, type StreamRequest } from './open-stream.js'

export interface TaskReaderOptions {
  readonly url: string
  readonly binding: Binding
  readonly begin: StreamRequest
  /** Told what the person at the terminal should know, in a sentence without its subject. */
  readonly onNews: (line: string) => void
}

const RETRY_MS = 100

/** Reads a task to its end: whenever the stream is lost, it goes on after the last event that was seen. */
export class TaskReader {
  readonly binding: Binding
  readonly events: StreamEvent[] = []
  readonly #options: TaskReaderOptions
  readonly #changes = new EventEmitter()
  #folded: Folded = NOTHING
  #cuts = 0
  #cut: { readonly after: number; readonly since: number } | undefined

  constructor(options: TaskReaderOptions) {
    this.binding = options.binding
    this.#options = options
  }

  get folded(): Folded {
    return this.#folded
  }

  /** How often the stream was lost. */
  get cuts(): number {
    return this.#cuts
  }

  /** The last number that the artifact has at the moment; 0 where it has none. */
  get position(): number {
    return Number(this.#folded.text.trimEnd().split('\n').at(-1))
  }

  /** Resolves when the task is over. @throws StreamRefusedError where it is refused for good */
  async run(signal: AbortSignal): Promise<void> {
    while (!this.#folded.isOver) {
      const reason = await this.#readOnce(signal)
      signal.throwIfAborted()
      if (this.#folded.isOver) break
      if (this.#cut === undefined) this.#tellCut(reason)
      await pause(RETRY_MS, undefined, { signal })
    }
    this.#options.onNews(`has the end: ${this.#folded.state}, event ${this.#lastEventId}`)
  }

  /** Resolves once `enough` is true, or the task is over; asks after each event. */
  async until(enough: () => boolean, signal: AbortSignal): Promise<void> {
    while (!enough() && !this.#folded.isOver) await once(this.#changes, 'event', { signal })
  }

  get #lastEventId(): number {
    return this.events.at(-1)?.id ?? 0
  }

  /** Reads one stream to its end, and returns why it ended. */
  async #readOnce(signal: AbortSignal): Promise<string> {
    const { url, begin } = this.#options
    const taskId = this.#folded.taskId ?? ('taskId' in begin ? begin.taskId : undefined)
    // Without an answer to its first message, it sends that message again.
    const request = taskId === undefined ? begin : { taskId, lastEventId: this.#lastEventId }
    try {
      for await (const event of openStream(url, this.binding, request, signal)) this.#take(event)
      return 'the server ended it in order'
    } catch (error) {
      if (error instanceof StreamRefusedError && !error.isPassing) throw error
      return describe(error)
    }
  }

  #take(event: StreamEvent): void {
    if (this.#cut !== undefined) this.#tellResumed(this.#cut)
    const before = this.position
    this.events.push(event)
    this.#folded = fold(this.#folded, event.payload)
    if (takesBack(event.payload)) this.#options.onNews(`hears that the turn is run again; 1 to ${before} are taken back`)
    this.#changes.emit('event')
  }

  #tellCut(reason: string): void {
    this.#cuts++
    this.#cut = { after: this.#lastEventId, since: performance.now() }
    this.#options.onNews(`is cut off after event ${this.#cut.after}, at number ${this.position} (${reason})`)
  }

  #tellResumed({ after, since }: { readonly after: number; readonly since: number }): void {
    this.#cut = undefined
    this.#options.onNews(`goes on after event ${after}, ${((performance.now() - since) / 1000).toFixed(1)} s later`)
  }
}

/** What the network said, where there is more than "fetch failed" or "terminated". */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message
}
