/** One server-sent event, as it came. */
export interface SseEvent {
  readonly id?: string
  readonly event?: string
  readonly data: string
}

/** Reads the events of a stream one by one, by the rules of the format; comments are kept apart. */
export interface SseReader {
  /** The next event; undefined when the stream has ended. */
  next(): Promise<SseEvent | undefined>
  /** All that is still to come. */
  rest(): Promise<readonly SseEvent[]>
  readonly comments: readonly string[]
  cancel(): Promise<void>
}

export function readSse(response: Response): SseReader {
  if (response.body === null) throw new Error('the response has no body')
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  const comments: string[] = []
  const events: SseEvent[] = []
  let buffer = ''
  let last = ''

  async function next(): Promise<SseEvent | undefined> {
    while (events.length === 0) {
      const { done, value } = await reader.read()
      if (done) return undefined
      const text = decoder.decode(value, { stream: true })
      const ends = `${last}${text}`.includes('\n\n')
      buffer += text
      last = text.at(-1) ?? last
      // What is large comes in many pieces, and is looked through once.
      if (!ends) continue
      const blocks = buffer.split('\n\n')
      buffer = blocks.pop() ?? ''
      for (const block of blocks) take(block)
    }
    return events.shift()
  }

  function take(block: string): void {
    const lines = block.split('\n')
    comments.push(...lines.filter((line) => line.startsWith(':')))
    const fields = Object.fromEntries(lines.filter((line) => !line.startsWith(':')).map((line) => line.split(/: (.*)/s, 2)))
    if (fields.data !== undefined) events.push(fields)
  }

  async function rest(): Promise<readonly SseEvent[]> {
    const all: SseEvent[] = []
    for (let event = await next(); event; event = await next()) all.push(event)
    return all
  }

  return { next, rest, comments, cancel: () => reader.cancel() }
}
