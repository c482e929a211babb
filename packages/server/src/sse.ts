import { DRAINING, type Scope, TOO_SLOW } from './scope.js'

/** An event with its place in the log, which is its id. */
interface Numbered {
  readonly seq: number
}

export interface SseOptions<Event> {
  /** One event's data, on one line. */
  readonly encode: (event: Event) => string
  /** The data of the error event that ends a broken stream. Gets whatever was thrown. */
  readonly encodeError: (error: unknown) => string
  readonly keepAliveMs: number
  readonly headers: Readonly<Record<string, string>>
  /** Ends with the stream, and the stream with it. */
  readonly scope: Scope
  /** Ends the client's connection where it takes nothing; false where that is not in our hands. */
  readonly disconnect: () => boolean
}

/** No proxy may keep events back, and no cache may answer with old ones. */
const SSE_HEADERS = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache', 'X-Accel-Buffering': 'no' }

/**
 * Events as server-sent events, each with its `seq` as id. The next event is asked for when the client has taken the one before, so a slow
 * client holds up nothing but itself. Comments keep an idle connection open.
 */
export function sseResponse<Event extends Numbered>(events: AsyncIterable<Event>, options: SseOptions<Event>): Response {
  const pump = new SsePump(events, options)
  return new Response(new ReadableStream<Uint8Array>(pump), { headers: { ...SSE_HEADERS, ...options.headers } })
}

type Controller = ReadableStreamDefaultController<Uint8Array>

const TAKES_TOO_LITTLE = 'this client takes too little of what comes'

/** The source of a ReadableStream. */
class SsePump<Event extends Numbered> {
  readonly #encoder = new TextEncoder()
  readonly #events: AsyncIterator<Event>
  readonly #options: SseOptions<Event>
  #keepAlive: ReturnType<typeof setInterval> | undefined
  #cutting: ReturnType<typeof setTimeout> | undefined
  #lastId: number | undefined
  #closed = false

  constructor(events: AsyncIterable<Event>, options: SseOptions<Event>) {
    this.#events = events[Symbol.asyncIterator]()
    this.#options = options
  }

  start(controller: Controller): void {
    // A host may abort the request without canceling the body that nobody reads any more.
    const { signal } = this.#options.scope
    // It may have done so while the operation ran.
    if (signal.aborted) {
      this.#stop(controller, signal.reason)
      return
    }
    signal.addEventListener('abort', () => this.#stop(controller, signal.reason), { once: true })
    this.#keepAlive = setInterval(() => {
      // With a full buffer the client has something to read already.
      if ((controller.desiredSize ?? 0) > 0) controller.enqueue(this.#encoder.encode(': keep-alive\n\n'))
    }, this.#options.keepAliveMs)
  }

  async pull(controller: Controller): Promise<void> {
    // The client has taken all that it gets.
    if (this.#cutting !== undefined) return this.#finishCut(controller)
    const { chunk, last } = await this.#next()
    // Ended in the meantime: the stream takes nothing any more.
    if (this.#closed) return
    if (chunk !== undefined) controller.enqueue(this.#encoder.encode(chunk))
    if (last) this.#end(controller)
  }

  cancel(): void {
    clearTimeout(this.#cutting)
    this.#close()
  }

  async #next(): Promise<{ readonly chunk?: string; readonly last: boolean }> {
    try {
      const { done, value } = await this.#events.next()
      if (done) return { last: true }
      const chunk = `id: ${value.seq}\ndata: ${this.#options.encode(value)}\n\n`
      if (!this.#closed) this.#lastId = value.seq
      return { chunk, last: false }
    } catch (error) {
      return { chunk: `${this.#whereToGoOn('the stream broke')}event: error\ndata: ${this.#options.encodeError(error)}\n\n`, last: true }
    }
  }

  #stop(controller: Controller, reason: unknown): void {
    if (this.#closed) return
    if (reason === TOO_SLOW) this.#cut(controller)
    else this.#end(controller, reason === DRAINING ? this.#whereToGoOn('this server stops') : '')
  }

  #end(controller: Controller, farewell = ''): void {
    if (this.#closed) return
    this.#close()
    if (farewell !== '') controller.enqueue(this.#encoder.encode(farewell))
    controller.close()
  }

  /** The client may still take what is on its way, and then hears why there is no more. One that takes nothing at all is not waited for. */
  #cut(controller: Controller): void {
    this.#close()
    controller.enqueue(this.#encoder.encode(this.#whereToGoOn(TAKES_TOO_LITTLE) || `: ${TAKES_TOO_LITTLE}\n\n`))
    this.#cutting = setTimeout(() => {
      if (!this.#options.disconnect()) controller.error(new Error(TAKES_TOO_LITTLE))
    }, this.#options.keepAliveMs)
  }

  #finishCut(controller: Controller): void {
    clearTimeout(this.#cutting)
    controller.close()
  }

  /** A comment for whoever reads the stream by eye; the id itself came with the last event. */
  #whereToGoOn(why: string): string {
    return this.#lastId === undefined ? '' : `: ${why}; go on with Last-Event-ID: ${this.#lastId}\n\n`
  }

  #close(): void {
    if (this.#closed) return
    this.#closed = true
    clearInterval(this.#keepAlive)
    this.#options.scope.close()
    // What fails now has nobody left to tell.
    Promise.resolve(this.#events.return?.()).catch(() => {})
  }
}
