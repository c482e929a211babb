import { expect } from 'vitest'
import type { TestServer } from '../testing/test-server.js'
import type { HostileRequest } from './hostile-requests.js'

const HANG_MS = 30_000

/** What only the inside of a server says. */
const INSIDE = [
  /\bat [^\n"]*[/\\][\w.-]+\.[jt]s/,
  /node_modules|node:internal/,
  /\b(?:Type|Range|Reference|Syntax|Zod|Sqlite|Database|Kysely)Error\b/,
  /SQLITE_|better-sqlite3|kysely|relation "|duplicate key/,
  /\[object |Cannot read prop|is not a function|Maximum call stack/,
]

/** Sends a request, and expects of its answer what must be true of every answer. Resolves to its status. */
export async function checkAnswer(server: TestServer, { path, init }: HostileRequest): Promise<number> {
  const response = await within(server.fetch(path, init))
  const body = await within(readBody(response))
  const type = response.headers.get('Content-Type')
  const told = JSON.stringify({ path, ...init, body: String(init.body).slice(0, 2000), answer: [response.status, body.slice(0, 2000)] })
  expect(response.status, told).toBeLessThan(500)
  for (const words of INSIDE) expect(body, told).not.toMatch(words)
  if (body !== '') expect(() => JSON.parse(body), told).not.toThrow()
  else expect(init.method === 'HEAD' || type === 'text/event-stream', told).toBe(true)
  if (response.status !== 200) expect(body.length, told).toBeLessThan(10_000)
  return response.status
}

function within<Value>(promise: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const hang = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), HANG_MS)
  })
  return Promise.race([promise, hang]).finally(() => clearTimeout(timer))
}

/** The body; of a stream the data of its first event, or nothing where it waits for one. */
async function readBody(response: Response): Promise<string> {
  if (response.headers.get('Content-Type') !== 'text/event-stream' || response.body === null) return response.text()
  const reader = response.body.getReader()
  const { value } = await reader.read()
  await reader.cancel()
  const text = new TextDecoder().decode(value)
  return text.startsWith(':') ? '' : text.replace(/^(?:: .*\n\n)?(?:id: .*\n)?(?:event: .*\n)?data: /, '')
}
