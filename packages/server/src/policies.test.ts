import { allow, defineAgent, refuse } from '@moorage/agent'
import { describe, expect, it } from 'vitest'
import { BINDINGS } from './testing/bindings.js'
import { auditOf } from './testing/database.js'
import { startTestServer } from './testing/test-server.js'
import { hello } from './testing/test-tasks.js'

const KEY = ['sk', 'proj', 'Zk3vQ9pL7wXr2TbN8sYd4HfJ'].join('-')
const configuration = { returnImmediately: true }

const agent = defineAgent({
  id: 'tester',
  policies: {
    'request.received': ({ message: { parts } }) => {
      const said = parts.map((part) => ('text' in part ? part.text : '')).join('')
      if (said === 'throw') throw new Error('the rules cannot be read')
      return said === 'refuse' ? refuse(`Not on Sundays (${KEY})`) : allow({ said })
    },
  },
  turn: (turn) => turn.complete(),
})

describe.each(BINDINGS)("the agent's policies, over $name", (binding) => {
  it('refuse a message with their public reason, and leave nothing but its audit row', async () => {
    const server = await startTestServer({ agent })
    const message = hello({ parts: [{ text: 'refuse' }] })
    const lines = await auditOf(server, async () => {
      const error = await binding.error(await binding.call(server, 'sendMessage', { message, configuration }))
      expect(error).toMatchObject({ httpStatus: 403, message: 'Not on Sundays ([redacted])', details: [] })
    })
    expect(lines).toMatchObject([
      { operation: 'message', outcome: 'refused', reason: 'policy: Not on Sundays ([redacted])', task_id: null },
    ])
    expect(server.wakes).toEqual([])
    expect(server.logged).toEqual([])
    expect(await binding.result(await binding.call(server, 'listTasks'))).toMatchObject({ totalSize: 0 })
  })

  it('that throw refuse that message only, with nothing of the cause', async () => {
    const server = await startTestServer({ agent })
    const send = (text: string) => binding.call(server, 'sendMessage', { message: hello({ parts: [{ text }] }), configuration })
    const error = await binding.error(await send('throw'))
    expect(error).toMatchObject({ httpStatus: 500, message: 'Internal error' })
    expect(server.logged).toMatchObject([
      { err: { message: "The agent's policy request.received has failed", cause: { message: 'the rules cannot be read' } } },
    ])
    expect(await binding.result(await send('fine'))).toHaveProperty('task')
  })

  it('note what is never on the wire', async () => {
    const server = await startTestServer({ agent })
    const answer = await binding.result(await binding.call(server, 'sendMessage', { message: hello(), configuration }))
    const { id } = answer['task'] as { id: string }
    const read = await binding.result(await binding.call(server, 'getTask', { id }))
    expect(JSON.stringify([answer, read, await server.store.read(id, 0, 10)])).not.toContain('"said"')
  })
})
