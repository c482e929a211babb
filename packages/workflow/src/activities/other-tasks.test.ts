import { randomUUID } from 'node:crypto'
import { defineAgent, type Turn } from '@moorage/agent'
import { receive } from '@moorage/inbox/receive'
import type { MessageJson, TaskJson } from '@moorage/protocol'
import type { Principal } from '@moorage/store'
import { describe, expect, test } from 'vitest'
import type { ActivityPorts } from './ports.js'
import { runTurn } from './run-turn.js'
import { execution, openTurnStage } from './turn-stage.js'

const ann: Principal = { tenant: 'acme', subject: 'ann', participant: 'ann', claims: {} }
const bob: Principal = { ...ann, subject: 'bob', participant: 'bob' }
const otherAnn: Principal = { ...ann, tenant: 'other' }

/** A store whose agent looks around with `look` in the turns of tasks that say so, and else says what it heard in an artifact. */
async function openContext(look: (turn: Turn) => Promise<readonly TaskJson[]>) {
  let seen: readonly TaskJson[] = []
  const agent = defineAgent({
    id: 'agent',
    reply: 'message-when-direct',
    async turn(turn) {
      if (turn.text.startsWith('look')) seen = await look(turn)
      await turn.artifact('heard').append(turn.text)
      return turn.text === 'wait' ? turn.ask('What?') : turn.reply('done')
    },
  })
  const { ports } = await openTurnStage(agent)
  const send = async (text: string, sender: Principal, fields: Partial<MessageJson> = {}, direct = false): Promise<string> => {
    const message: MessageJson = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }], contextId: 'session', ...fields }
    const reception = await receive(ports.store, { agent: agent.id, commands: new Set(), direct }, sender, message)
    if (reception.result === 'refused') throw new Error(`refused: ${reception.reason}`)
    const { taskId } = reception.receipt
    await run(ports, taskId)
    return taskId
  }
  return { ports, send, seen: () => seen.map(({ id }) => id), tasks: () => seen }
}

async function run(ports: ActivityPorts, taskId: string): Promise<void> {
  await runTurn(ports, taskId, execution({ scheduling: { id: randomUUID(), attempt: 1 } }))
}

describe('turn.context', () => {
  test("has the other tasks of the sender in this context, the newest first, with their artifacts; nobody else's", async () => {
    const { send, seen, tasks } = await openContext((turn) => turn.context.tasks())
    const [first, second] = [await send('one', ann), await send('two', ann)]
    await send('elsewhere', ann, { contextId: 'another session' })
    for (const stranger of [bob, otherAnn]) {
      await send('look', stranger)
      expect(seen()).toEqual([])
    }
    await send('look', ann)
    expect(seen()).toEqual([second, first])
    expect(tasks()[0]).toMatchObject({ artifacts: [{ parts: [{ text: 'two' }] }], history: [{ parts: [{ text: 'two' }] }] })
  })

  test('has no task that was answered by a Message, none that was removed, and as many as are asked for', async () => {
    const { ports, send, seen } = await openContext((turn) => turn.context.tasks({ limit: Number(turn.text.slice(5)) }))
    await send('removed', ann)
    for (let more = true; more; ) ({ more } = await ports.store.removeTasks('agent', 0))
    await send('between us', ann, {}, true)
    const kept = [await send('one', ann), await send('two', ann), await send('wait', ann)]
    await send('look 100', ann)
    expect(seen()).toEqual([...kept].reverse())
    await send('look 2', ann)
    expect(seen()).toHaveLength(2)
  })

  test.each([0, 101, 1.5, Number.NaN])('takes no limit of %d', async (limit) => {
    const faults: unknown[] = []
    const { send } = await openContext((turn) =>
      turn.context.tasks({ limit }).catch((error: unknown) => {
        faults.push(error)
        return []
      }),
    )
    await send('look', ann)
    expect(faults).toEqual([expect.any(TypeError)])
    expect(String(faults[0])).toContain('turn.context.tasks: limit must be a whole number from 1 to 100')
  })
})

describe('turn.references', () => {
  test('reads the tasks that the messages name, each once, in their order', async () => {
    const { send, seen, tasks } = await openContext((turn) => turn.references())
    const [first, second] = [await send('one', ann), await send('two', ann, { contextId: 'another session' })]
    const asking = await send('wait', ann)
    await send('look', ann, { taskId: asking, referenceTaskIds: [second, first, second, asking] })
    expect(seen()).toEqual([second, first, asking])
    expect(tasks()[0]).toMatchObject({ artifacts: [{ parts: [{ text: 'two' }] }] })
  })

  test('leaves out what was removed after the message had been accepted', async () => {
    const { ports, send, seen } = await openContext((turn) => turn.references())
    const gone = await send('one', ann)
    const message: MessageJson = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'look' }], referenceTaskIds: [gone] }
    const reception = await receive(ports.store, { agent: 'agent', commands: new Set() }, ann, message)
    if (reception.result === 'refused') throw new Error(reception.reason)
    for (let more = true; more; ) ({ more } = await ports.store.removeTasks('agent', 0))
    await run(ports, reception.receipt.taskId)
    expect(seen()).toEqual([])
  })
})
