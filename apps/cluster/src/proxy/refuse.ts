import type { ServerResponse } from 'node:http'

/** Answers in the form of the HTTP+JSON binding's errors, which is JSON for every other client. */
export function refuse(response: ServerResponse, code: 502 | 503, message: string): void {
  const body = JSON.stringify({ error: { code, status: 'UNAVAILABLE', message } })
  const retry = code === 503 ? { 'Retry-After': '1' } : {}
  response.writeHead(code, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body), ...retry })
  response.end(body)
}
