import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type PostgresServer, type StopMode, startPostgres } from '@moorage/dev-postgres'
import { expect, onTestFinished, test } from 'vitest'
import { BINDINGS, type Binding, connect, getTask, numbers } from '../clients.js'
import { temporaryFolder } from '../temporary-folder.js'
import { until } from '../until.js'
import { startReplicas } from './replicas.js'
import { StreamReader } from './stream-reader.js'

const TASKS = 20
const CHUNKS = 40

test.each(['fast', 'immediate'] as const)(
  `a Postgres that is restarted (%s) under ${TASKS} running tasks loses nothing that was answered, and no chunk`,
  async (mode) => {
    const postgres = await startPostgres({ dataDir: await temporaryFolder() })
    onTestFinished(() => postgres.stop())
    // No worker is lost here: a busy machine must not make one look so.
    const env = { MOORAGE_HEARTBEAT_TIMEOUT_MS: '60000' }
    const { agents } = await startReplicas({ databaseUrl: await postgres.createDatabase(), env })
    const urls = agents.map(({ url }) => url)
    const at = (index: number) => urls[index % urls.length] ?? ''
    const readers = Array.from({ length: TASKS }, (_, index) => new StreamReader(BINDINGS[index % BINDINGS.length] ?? 'JSONRPC'))
    const running = readers.map((reader, index) => readToTheEnd(reader, (attempt) => at(index + attempt)))
    const answers: Answer[] = []
    const restarted = restartOnceAllRun(postgres, readers, answers, mode)
    await sendUntil(restarted, answers, at)
    await Promise.all(running)

    for (const reader of readers) expect(reader.text).toBe(numbers(CHUNKS))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 503]))
    const client = await connect(at(0), 'HTTP+JSON')
    for (const { taskId } of answers) if (taskId !== undefined) expect((await getTask(client, taskId)).id).toBe(taskId)
  },
)

/** Sends its message, the same again where it is refused, and reads the stream to its end, from another agent where it breaks. */
async function readToTheEnd(reader: StreamReader, at: (attempt: number) => string): Promise<void> {
  const script = [{ chunks: CHUNKS, everyMs: 50 }, { complete: 'done' }]
  const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ data: { script } }] }
  for (let attempt = 0; !reader.ended; attempt++) {
    try {
      await (reader.events.length === 0 ? reader.send(at(attempt), message) : reader.resume(at(attempt)))
    } catch {
      await setTimeout(100)
    }
  }
}

/** Stays down until a send has been refused: shorter outages are waited out. */
async function restartOnceAllRun(
  postgres: PostgresServer,
  readers: readonly StreamReader[],
  answers: readonly Answer[],
  mode: StopMode,
): Promise<void> {
  await until(() => readers.every(({ text }) => text !== ''))
  await postgres.stop(mode)
  await until(() => answers.some(({ status }) => status === 503))
  await postgres.start()
}

interface Answer {
  readonly status: number
  readonly taskId?: string
}

/** Sends messages, each until it is answered with its task, up to the first one that was begun after `restarted`. */
async function sendUntil(restarted: Promise<void>, answers: Answer[], at: (index: number) => string): Promise<void> {
  let over = false
  const ended = restarted.finally(() => {
    over = true
  })
  for (let index = 0; !over; index++) {
    const messageId = randomUUID()
    await until(async () => {
      const answer = await sendOnce(at(index), BINDINGS[index % BINDINGS.length] ?? 'JSONRPC', messageId)
      answers.push(answer)
      return answer.taskId
    })
  }
  await ended
}

async function sendOnce(url: string, binding: Binding, messageId: string): Promise<Answer> {
  const request = { message: { messageId, role: 'ROLE_USER', parts: [{ text: 'hello' }] }, configuration: { returnImmediately: true } }
  const rpc = binding === 'JSONRPC'
  const response = await fetch(`${url}/a2a${rpc ? '' : '/message:send'}`, {
    method: 'POST',
    headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/json' },
    body: JSON.stringify(rpc ? { jsonrpc: '2.0', id: 1, method: 'SendMessage', params: request } : request),
  })
  const body = (await response.json()) as { task?: { id: string }; result?: { task: { id: string } } }
  if (response.status === 503) expect(response.headers.get('Retry-After')).toMatch(/^\d+$/)
  const taskId = body.task?.id ?? body.result?.task.id
  return { status: response.status, ...(taskId !== undefined && { taskId }) }
}
