import { expect, test } from 'vitest'
import { testAgent } from './testing/test-agent.js'
import { startTestServer } from './testing/test-server.js'

const WORKER = { identity: '1@host', node: '20.19.0', turns: 0, commands: 0 }

test('shows the last heartbeat of its agent, without its host, which nobody keeps', async () => {
  const server = await startTestServer()
  await server.store.recordHeartbeat('another', WORKER)
  const before = await server.fetch('/_monitor')
  expect([before.status, await before.json()]).toMatchObject([
    404,
    {
      error: {
        code: 404,
        message: `The agent ${testAgent().id} has no heartbeat yet: a worker that runs it records one each minute (in code: createWorker with retention)`,
      },
    },
  ])
  await server.store.recordHeartbeat(testAgent().id, WORKER)
  const after = await server.fetch('/_monitor')
  expect([after.status, after.headers.get('Content-Type'), after.headers.get('Cache-Control')]).toEqual([
    200,
    'application/json',
    'no-store',
  ])
  expect(await after.json()).toEqual({
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    agent: testAgent().id,
    tasks: {},
    waiting: { messages: 0, commands: 0 },
    worker: { node: '20.19.0', turns: 0, commands: 0 },
  })
})

test('is read and nothing else, after the limits', async () => {
  const server = await startTestServer({ limits: { ratePerMinute: 2 } })
  expect((await server.fetch('/_monitor', { method: 'HEAD' })).status).toBe(404)
  const posted = await server.fetch('/_monitor', { method: 'POST' })
  expect([posted.status, posted.headers.get('Allow')]).toEqual([405, 'GET, HEAD'])
  expect((await server.fetch('/_monitor')).status).toBe(429)
})

test('is not there where it is turned off', async () => {
  const server = await startTestServer({ monitor: false })
  const response = await server.fetch('/_monitor')
  expect([response.status, await response.json()]).toMatchObject([404, { error: { message: 'No such route' } }])
})
