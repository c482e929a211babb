import type { StreamResponseJson } from '@moorage/protocol'
import type { Binding } from './clients.js'

export interface RawEvent {
  readonly id: number
  readonly payload: StreamResponseJson
}

/** The server has answered with something else than a stream. */
export class NoStreamError extends Error {
  override readonly name = 'NoStreamError'
  readonly status: number

  constructor(status: number, body: string) {
    super(`No stream: ${status} ${body}`)
    this.status = status
  }
}

/** Opens a stream as a client without the SDK does, which sees the events' ids. An operation is named as in JSON-RPC. */
export async function* openStream(
  url: string,
  binding: Binding,
  operation: 'SendStreamingMessage' | 'SubscribeToTask',
  params: Readonly<Record<string, unknown>>,
  options: { readonly signal?: AbortSignal; readonly lastEventId?: number } = {},
): AsyncGenerator<RawEvent> {
  const { path, body } = request(binding, operation, params)
  const response = await fetch(`${url}/a2a${path}`, {
    method: 'POST',
    headers: {
      'A2A-Version': '1.0',
      'Content-Type': 'application/json',
      ...(options.lastEventId !== undefined && { 'Last-Event-ID': String(options.lastEventId) }),
    },
    body: JSON.stringify(body),
    ...(options.signal && { signal: options.signal }),
  })
  if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
    throw new NoStreamError(response.status, await response.text())
  }
  let buffered = ''
  for await (const bytes of response.body.pipeThrough(new TextDecoderStream())) {
    // Within a long line no block can end.
    if (!bytes.includes('\n')) {
      buffered += bytes
      continue
    }
    const blocks = (buffered + bytes).split('\n\n')
    buffered = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = parseEvent(block, binding)
      if (event) yield event
    }
  }
}

function request(binding: Binding, operation: string, params: Readonly<Record<string, unknown>>) {
  if (binding === 'JSONRPC') return { path: '', body: { jsonrpc: '2.0', id: 1, method: operation, params } }
  return operation === 'SubscribeToTask'
    ? { path: `/tasks/${params['id']}:subscribe`, body: {} }
    : { path: '/message:stream', body: params }
}

/** One block of the stream; undefined for a comment. @throws what the server says has broken the stream. */
function parseEvent(block: string, binding: Binding): RawEvent | undefined {
  const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]))
  const data = fields.get('data')
  if (data === undefined) return undefined
  if (fields.get('event') === 'error') throw new Error(`The stream broke: ${data}`)
  const json = JSON.parse(data) as { result: StreamResponseJson } & StreamResponseJson
  return { id: Number(fields.get('id')), payload: binding === 'JSONRPC' ? json.result : json }
}
