import { isTerminal } from '@moorage/protocol'
import type { Binding } from '../clients.js'
import { openStream, type RawEvent } from '../raw-stream.js'

/** A reader of one task who goes on after the last id that was seen, wherever it is told to, and keeps every event. */
export class StreamReader {
  readonly events: RawEvent[] = []
  readonly #binding: Binding

  constructor(binding: Binding) {
    this.#binding = binding
  }

  get taskId(): string {
    const first = this.events[0]
    if (!first || !('task' in first.payload)) throw new Error('The stream does not begin with the Task')
    return first.payload.task.id
  }

  get ended(): boolean {
    return this.events.some(({ payload }) => 'statusUpdate' in payload && isTerminal(payload.statusUpdate.status.state))
  }

  /** The text of the artifact as a reader has it who honours `append`. */
  get text(): string {
    let text = ''
    for (const { payload } of this.events) {
      if (!('artifactUpdate' in payload)) continue
      const { artifact, append = false } = payload.artifactUpdate
      const more = artifact.parts.map((part) => ('text' in part ? part.text : '')).join('')
      text = append ? text + more : more
    }
    return text
  }

  /** Sends the message and reads until `enough`, or the end. What breaks the stream is thrown. */
  async send(url: string, message: object, enough: () => boolean | Promise<boolean> = () => false): Promise<void> {
    await this.#read(openStream(url, this.#binding, 'SendStreamingMessage', { message }), enough)
  }

  /** Subscribes to a task as it is, and reads to the end. */
  async subscribe(url: string, id: string): Promise<void> {
    await this.#read(openStream(url, this.#binding, 'SubscribeToTask', { id }), () => false)
  }

  /** Subscribes after the last event that was seen, and reads until `enough`, or the end. */
  async resume(url: string, enough: () => boolean | Promise<boolean> = () => false): Promise<void> {
    const lastEventId = this.events.at(-1)?.id ?? 0
    await this.#read(openStream(url, this.#binding, 'SubscribeToTask', { id: this.taskId }, { lastEventId }), enough)
  }

  async #read(stream: AsyncIterable<RawEvent>, enough: () => boolean | Promise<boolean>): Promise<void> {
    for await (const event of stream) {
      this.events.push(event)
      if (await enough()) return
    }
  }
}
