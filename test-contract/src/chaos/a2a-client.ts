import { setTimeout as pause } from 'node:timers/promises'
import type { MessageJson, SendMessageResponseJson, TaskJson } from '@moorage/protocol'
import type { Binding } from '../clients.js'
import { NoStreamError, openStream, type RawEvent } from '../raw-stream.js'
import { patience } from './patience.js'
import type { Random } from './random.js'

/** How long an answer that is due at once may take: then the process that owes it is taken to be gone. */
const PATIENCE_MS = 5000
/** Of an open stream: the server says something every 15 s. */
const SILENCE_MS = 20_000
const AGAIN_MS = 150

/** The server has refused for good what should be accepted. */
class RefusedError extends Error {
  override readonly name = 'RefusedError'
}

export interface ClientOptions {
  readonly urls: readonly string[]
  readonly binding: Binding
  readonly random: Random
  /** Ends everything. */
  readonly signal: AbortSignal
}

interface SendOptions {
  readonly configuration?: { readonly returnImmediately?: boolean }
  /** @default 5_000 */
  readonly patienceMs?: number
}

/** A client that goes on at another agent where one does not answer, with the same message, and after the last event that it saw. */
export class A2aClient {
  readonly #options: ClientOptions

  constructor(options: ClientOptions) {
    this.#options = options
  }

  /** Sends the message until it is acknowledged. */
  send(message: MessageJson): Promise<SendMessageResponseJson> {
    return this.#again(() => this.sendOnce(message, { configuration: { returnImmediately: true } }))
  }

  /** Sends the message once; undefined where there was no answer. @throws RefusedError */
  sendOnce(message: MessageJson, { configuration, patienceMs }: SendOptions): Promise<SendMessageResponseJson | undefined> {
    const request = { message, ...(configuration && { configuration }) }
    return this.#call('SendMessage', '/message:send', request, patienceMs) as Promise<SendMessageResponseJson | undefined>
  }

  getTask(id: string): Promise<TaskJson> {
    return this.#again(() => this.#call('GetTask', `/tasks/${id}`, { id })) as Promise<TaskJson>
  }

  /** Cancels until that is answered. One that was refused after another one without an answer has been canceled by that. */
  async cancel(id: string): Promise<void> {
    await this.#again(async () => {
      try {
        return await this.#call('CancelTask', `/tasks/${id}:cancel`, { id })
      } catch (error) {
        if (error instanceof RefusedError && error.message.includes('TASK_NOT_CANCELABLE')) return true
        throw error
      }
    })
  }

  /** The stream of a new message until it ends or breaks; what is seen comes in its order. */
  sendStream(message: MessageJson): AsyncGenerator<RawEvent> {
    return this.#stream('SendStreamingMessage', { message })
  }

  /** What follows the event, until it ends or breaks. */
  resume(id: string, lastEventId: number): AsyncGenerator<RawEvent> {
    return this.#stream('SubscribeToTask', { id }, lastEventId)
  }

  async *#stream(
    operation: 'SendStreamingMessage' | 'SubscribeToTask',
    params: Readonly<Record<string, unknown>>,
    lastEventId?: number,
  ): AsyncGenerator<RawEvent> {
    const { binding, signal } = this.#options
    const silence = patience(SILENCE_MS, signal)
    try {
      const options = { signal: silence.signal, ...(lastEventId !== undefined && { lastEventId }) }
      for await (const event of openStream(this.#url(), binding, operation, params, options)) {
        yield event
        silence.renew()
      }
    } catch (error) {
      if (error instanceof NoStreamError && !isPassing(error.status)) throw new RefusedError(`${operation}: ${error.message}`)
    } finally {
      silence.release()
    }
  }

  async #again<T>(ask: () => Promise<T | undefined>): Promise<T> {
    for (;;) {
      const answer = await ask()
      if (answer !== undefined) return answer
      await pause(AGAIN_MS, undefined, { signal: this.#options.signal })
    }
  }

  /** The answer; undefined where there was none, or one that says to come again. @throws RefusedError */
  async #call(method: string, path: string, params: object, patienceMs = PATIENCE_MS): Promise<unknown> {
    const { binding, signal } = this.#options
    const rpc = binding === 'JSONRPC'
    const isRead = method === 'GetTask'
    const body = JSON.stringify(rpc ? { jsonrpc: '2.0', id: 1, method, params } : params)
    const waiting = patience(patienceMs, signal)
    try {
      const response = await fetch(`${this.#url()}/a2a${rpc ? '' : path}`, {
        method: rpc || !isRead ? 'POST' : 'GET',
        headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/json' },
        ...((rpc || !isRead) && { body }),
        signal: waiting.signal,
      })
      const text = await response.text()
      if (isPassing(response.status)) return undefined
      const json = JSON.parse(text) as { readonly error?: unknown; readonly result?: unknown }
      if (!response.ok || json.error !== undefined) throw new RefusedError(`${method}: ${response.status} ${text}`)
      return rpc ? json.result : json
    } catch (error) {
      if (error instanceof RefusedError) throw error
      signal.throwIfAborted()
      return undefined
    } finally {
      waiting.release()
    }
  }

  #url(): string {
    return this.#options.random.pick(this.#options.urls)
  }
}

/** Whether a status says that it may be otherwise soon; an internal error never is the answer to a fault outside of the server. */
function isPassing(status: number): boolean {
  return status === 429 || status === 502 || status === 503 || status === 504
}
