import { describe, expect, it } from 'vitest'
import { BINDINGS } from './testing/bindings.js'
import { startTestServer } from './testing/test-server.js'
import { hello } from './testing/test-tasks.js'

const AS = (name: string) => ({ headers: { 'X-Participant-Id': name } })

describe.each(BINDINGS)('without authentication, over $name', (binding) => {
  it('keeps the tasks of one participant from the next', async () => {
    const server = await startTestServer()
    const configuration = { returnImmediately: true }
    const sent = await binding.result(await binding.call(server, 'sendMessage', { message: hello(), configuration }, AS('ann')))
    const { id } = sent['task'] as { id: string }
    expect(await binding.result(await binding.call(server, 'getTask', { id }, AS('ann')))).toMatchObject({ id })
    const others = await binding.error(await binding.call(server, 'getTask', { id }, AS('bob')))
    expect(others.details[0]).toMatchObject({ reason: 'TASK_NOT_FOUND' })
  })

  it('refuses a header and metadata that name two participants, and the name of the agent itself', async () => {
    const server = await startTestServer()
    const request = { message: hello({ metadata: { participantId: 'bob' } }) }
    const differs = await binding.error(await binding.call(server, 'sendMessage', request, AS('ann')))
    expect(differs.details[1]).toMatchObject({ fieldViolations: [{ field: 'message.metadata.participantId' }] })
    const agent = await binding.error(await binding.call(server, 'sendMessage', { message: hello() }, AS('tester')))
    expect(agent.details[1]).toMatchObject({ fieldViolations: [{ field: 'X-Participant-Id' }] })
  })
})
