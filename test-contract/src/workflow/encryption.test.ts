import { defineAgent } from '@moorage/agent'
import type { EncryptionKey } from '@moorage/workflow/client'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { expect } from 'vitest'
import { until } from '../until.js'
import type { History } from './history.js'
import { createListener } from './listener.js'
import { type Stage, saying, stageTest } from './stage.js'

const old: EncryptionKey = { id: 'spring', key: new Uint8Array(32).fill(1) }
const current: EncryptionKey = { id: 'summer', key: new Uint8Array(32).fill(2) }

const chat = defineAgent({ id: 'chat', lifecycle: 'conversation', turn: (turn) => turn.complete(`Heard ${turn.text}`) })
/** What Temporal keeps of inputs and results, as far as it can be read. */
function readable(history: History): readonly string[] {
  const data = [...historyToJSON(history).matchAll(/"data": "([^"]*)"/g)]
  return data.map(([, base64 = '']) => Buffer.from(base64, 'base64').toString('latin1'))
}

function withKeys(stage: Stage, ...keys: readonly EncryptionKey[]) {
  return { temporal: { ...stage.temporal, encryption: { keys } } }
}

stageTest('leaves nothing in Temporal that can be read', async ({ open }) => {
  const temporal = { encryption: { keys: [current] } }
  const stage = await open(defineAgent({ id: 'echo', turn: (turn) => turn.complete() }), { temporal })
  const { taskId } = await stage.send('hello')
  await stage.ended(taskId)
  await until(async () => (await stage.run(taskId).describe()).status.name === 'COMPLETED')
  const kept = readable(await stage.run(taskId).fetchHistory())
  expect(kept.length).toBeGreaterThanOrEqual(3)
  for (const data of kept) expect(data).not.toMatch(new RegExp(`${taskId}|unhandled|taskId|json`))
})

stageTest('goes on with an open run while keys come and change', async ({ open }) => {
  const stage = await open(chat, { worker: false, wakeAfterMs: 100 })
  const { taskId } = await stage.send('in the open')
  const handOver = async (position: number, text: string, ...keys: readonly EncryptionKey[]): Promise<void> => {
    const worker = await stage.startWorker(withKeys(stage, ...keys))
    expect(saying(await stage.parked(taskId, position))).toBe(`Heard ${text}`)
    await worker.stop()
  }
  const plain = await stage.startWorker()
  await stage.parked(taskId, 1)
  await plain.stop()
  const { runId } = await stage.run(taskId).describe()
  // Each worker has a waker of its own: its sweep brings the message, under its own keys.
  await stage.send('by the first key', { taskId, wake: false })
  await handOver(2, 'by the first key', old)
  await stage.send('by the second key', { taskId, wake: false })
  await handOver(3, 'by the second key', current, old)
  expect((await stage.run(taskId).describe()).runId).toBe(runId)
})

stageTest('names the key that a worker lacks, once, and goes on once it has it', async ({ open }) => {
  const { logger, lines } = createListener()
  const stage = await open(chat, { worker: false, temporal: { encryption: { keys: [old] } } })
  const { taskId } = await stage.send('hello')
  await stage.waker.idle()
  const lacking = await stage.startWorker({ ...withKeys(stage, current), logger })
  await until(() => lines().some((line) => line.startsWith('error')))
  await lacking.stop()
  await stage.startWorker(withKeys(stage, current, old))
  expect(saying(await stage.parked(taskId, 1))).toBe('Heard hello')
  expect(lines().filter((line) => line.startsWith('error'))).toEqual([
    'error A payload is encrypted with the key "spring", which temporal.encryption.keys (MOORAGE_PAYLOAD_KEYS) lacks: add it behind the first key',
  ])
})

stageTest('names the key that the others have to a worker without any, once, and goes on once it has it', async ({ open }) => {
  const { logger, lines } = createListener()
  const stage = await open(chat, { worker: false, temporal: { encryption: { keys: [old] } } })
  const { taskId } = await stage.send('hello')
  await stage.waker.idle()
  const lacking = await stage.startWorker({ temporal: { address: stage.temporal.address }, logger })
  await until(() => lines().some((line) => line.startsWith('error')))
  await lacking.stop()
  await stage.startWorker()
  expect(saying(await stage.parked(taskId, 1))).toBe('Heard hello')
  expect(lines().filter((line) => line.startsWith('error'))).toEqual([
    'error A payload is encrypted with the key "spring", and temporal.encryption (MOORAGE_PAYLOAD_KEYS) is not set: set it as in the other processes',
  ])
})
