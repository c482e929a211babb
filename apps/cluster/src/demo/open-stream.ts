import type { StreamResponseJson } from '@moorage/protocol'

export type Binding = 'JSON-RPC' | 'HTTP+JSON'

/** One event of a stream; `id` is what `Last-Event-ID` names. */
export interface StreamEvent {
  readonly id: number
  readonly payload: StreamResponseJson
}

/** What begins a stream: a message, or a task and the last event that was seen of it. */
export type StreamRequest =
  | { readonly text: string; readonly messageId: string }
  | { readonly taskId: string; readonly lastEventId: number }

/** An answer that is no stream. */
export class StreamRefusedError extends Error {
  override readonly name = 'StreamRefusedError'
  /** Whether the same request may be answered otherwise later. */
  readonly isPassing: boolean

  constructor(status: number, body: string) {
    super(`HTTP ${status}: ${body.slice(0, 200)}`)
    this.isPassing = [429, 502, 503, 504].includes(status)
  }
}

/**
 * Opens a stream as any client of the binding can, without an SDK, and yields its events until it ends.
 * @throws StreamRefusedError where there is no stream; what the network says where its connection is lost
 */
export async function* openStream(url: string, binding: Binding, request: StreamRequest, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  const { path, body } = binding === 'JSON-RPC' ? jsonRpc(request) : httpJson(request)
  const headers = {
    'A2A-Version': '1.0',
    'Content-Type': 'application/json',
    ...('taskId' in request && { 'Last-Event-ID': String(request.lastEventId) }),
  }
  const response = await fetch(`${url}/a2a${path}`, { method: 'POST', headers, body: JSON.stringify(body), signal })
  if (response.body === null || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
    throw new StreamRefusedError(response.status, await response.text())
  }
  let rest = ''
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = parseBlock(block, binding)
      if (event !== undefined) yield event
    }
  }
}

function jsonRpc(request: StreamRequest) {
  const [method, params] = 'taskId' in request ? ['SubscribeToTask', { id: request.taskId }] : ['SendStreamingMessage', sendParams(request)]
  return { path: '', body: { jsonrpc: '2.0', id: 1, method, params } }
}

function httpJson(request: StreamRequest) {
  return 'taskId' in request
    ? { path: `/tasks/${request.taskId}:subscribe`, body: {} }
    : { path: '/message:stream', body: sendParams(request) }
}

function sendParams({ text, messageId }: { readonly text: string; readonly messageId: string }) {
  return { message: { messageId, role: 'ROLE_USER', parts: [{ text }] } }
}

/** Undefined for a comment. */
function parseBlock(block: string, binding: Binding): StreamEvent | undefined {
  const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]))
  const data = fields.get('data')
  if (data === undefined) return undefined
  const json = JSON.parse(data) as StreamResponseJson & { readonly result: StreamResponseJson }
  return { id: Number(fields.get('id')), payload: binding === 'JSON-RPC' ? json.result : json }
}
