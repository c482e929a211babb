import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { artifactText, BINDINGS, type Binding, connect, getTask, numbers, send } from '../clients.js'
import type { Script } from '../conformance-agent/script.js'
import { type Replicas, startReplicas } from './replicas.js'
import { StreamReader } from './stream-reader.js'

const CHUNKS = 50
/** Where no worker is lost, a busy machine must not make one look so at once. */
const PATIENT = { MOORAGE_HEARTBEAT_TIMEOUT_MS: '60000' }

describe.each(BINDINGS)('two agents and two workers on one Postgres, over %s', (binding) => {
  test('a stream outlives the agent that it began on and the worker that runs the turn', async () => {
    const { agents, workerAt } = await startReplicas()
    const [first, second] = agents
    const reader = new StreamReader(binding)
    const dying = reader.send(first.url, scripted([{ count: 'once' }, { chunks: CHUNKS, everyMs: 40 }, { complete: 'done' }]), async () => {
      if (!reader.text.startsWith(numbers(10))) return false
      await Promise.all([(await workerAt('once')).end('SIGKILL'), first.end('SIGKILL')])
      return false
    })
    await expect(dying).rejects.toThrow()
    expect(reader.ended).toBe(false)

    await reader.resume(second.url)
    expectWhole(reader)
    expect(artifactText(await getTask(await connect(second.url, binding), reader.taskId))).toBe(numbers(CHUNKS))
  })

  test('a stop in order ends the stream and hands the turn on: nothing is lost, and a step is not repeated', async () => {
    const { agents, rendezvous, workerAt } = await startReplicas({
      env: { MOORAGE_SHUTDOWN_GRACE_MS: '0', ...PATIENT },
    })
    const [first, second] = agents
    const script: Script = [{ count: 'once' }, { chunks: CHUNKS, everyMs: 40 }, { complete: 'done' }]
    const reader = new StreamReader(binding)
    const stopping: Promise<number | null>[] = []
    await reader.send(first.url, scripted(script), async () => {
      if (stopping.length === 0 && reader.text.startsWith(numbers(10))) {
        stopping.push((await workerAt('once')).end('SIGTERM'), first.end('SIGTERM'))
      }
      return false
    })
    expect(reader.ended).toBe(false)
    await reader.resume(second.url)
    expect(reader.text).toBe(numbers(CHUNKS))
    expect(await Promise.all(stopping)).toEqual([0, 0])
    expect(await rendezvous.counts()).toEqual({ once: { keys: 1, runs: 1 } })
  })

  test('a message that both agents get is one task, which runs once; either cancels it, answers its commands and goes on with its streams', async () => {
    const { agents, rendezvous } = await startReplicas({ env: PATIENT })
    const [first, second] = await Promise.all(agents.map(({ url }) => connect(url, binding)))
    if (!first || !second) throw new Error('Two agents were to start')
    const fields = { messageId: randomUUID(), returnImmediately: true }
    const script: Script = [{ count: 'once' }, { chunks: 1, everyMs: 0 }, { await: 'never' }]
    const [one, other] = await Promise.all([send(first, script, fields), send(second, script, fields)])
    expect(one.id).toBe(other.id)

    const reader = new StreamReader(binding)
    const following = reader.subscribe(agents[0].url, one.id)
    expect((await send(second, '/echo over here', { taskId: one.id })).status.message?.parts).toEqual([{ text: 'over here' }])
    await second.cancelTask({ tenant: '', id: one.id, metadata: undefined })
    await following
    expect(reader.ended).toBe(true)
    expect((await getTask(first, one.id)).status.state).toBe('TASK_STATE_CANCELED')
    expect(await rendezvous.counts()).toEqual({ once: { keys: 1, runs: 1 } })

    await expectResumedElsewhere(binding, agents)
  })
})

/** The client itself drops its stream after ten chunks, and goes on at the other agent. */
async function expectResumedElsewhere(binding: Binding, [first, second]: Replicas['agents']): Promise<void> {
  const reader = new StreamReader(binding)
  const script = scripted([{ chunks: CHUNKS, everyMs: 10 }, { complete: 'done' }])
  await reader.send(first.url, script, () => reader.text.startsWith(numbers(10)))
  expect(reader.ended).toBe(false)
  await reader.resume(second.url)
  expectWhole(reader)
}

/** Each chunk once and in order, up to the end of the task. */
function expectWhole(reader: StreamReader): void {
  expect(reader.ended).toBe(true)
  expect(reader.text).toBe(numbers(CHUNKS))
  const ids = reader.events.map((event) => event.id)
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b))
}

function scripted(script: Script) {
  return { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ data: { script } }] }
}
