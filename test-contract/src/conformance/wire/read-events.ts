import type { Fields } from './forms.js'
import type { WireEvent, WireStream } from './wire-client.js'

/** Reads server-sent events as a plain client does: blocks of lines, of which id and data count. @throws Error where it is no stream */
export async function readEvents(response: Response, payload: (data: Fields) => Fields): Promise<WireStream> {
  if (response.status !== 200 || !response.headers.get('Content-Type')?.startsWith('text/event-stream') || response.body === null) {
    throw new Error(`This is no stream: ${response.status} ${(await response.text()).slice(0, 500)}`)
  }
  const reader = response.body.getReader()
  const events = readBlocks(reader, payload)
  const next = async () => {
    const { done, value } = await events.next()
    return done ? undefined : value
  }
  const rest = async () => {
    const all: WireEvent[] = []
    for await (const event of events) all.push(event)
    return all
  }
  return { headers: response.headers, next, rest, close: () => reader.cancel(), [Symbol.asyncIterator]: () => events }
}

async function* readBlocks(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  payload: (data: Fields) => Fields,
): AsyncGenerator<WireEvent, undefined> {
  const decoder = new TextDecoder()
  let buffered = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return undefined
    const blocks = (buffered + decoder.decode(value, { stream: true })).split('\n\n')
    buffered = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = parseBlock(block, payload)
      if (event) yield event
    }
  }
}

/** Undefined for a comment. */
function parseBlock(block: string, payload: (data: Fields) => Fields): WireEvent | undefined {
  const lines = block.split('\n')
  const field = (name: string) =>
    lines
      .find((line) => line.startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim()
  const text = field('data')
  if (text === undefined) return undefined
  if (field('event') === 'error') throw new Error(`The stream broke: ${text}`)
  const data = JSON.parse(text) as Fields
  return { id: field('id'), data, payload: payload(data) }
}
