import type { TaskJson } from '@moorage/protocol'
import { describe, expect, test } from 'vitest'
import { BINDINGS } from './testing/bindings.js'
import { startTestServer, type TestServer } from './testing/test-server.js'
import { hello } from './testing/test-tasks.js'

describe.each(BINDINGS)('the same message id again over $name', (binding) => {
  async function send(server: TestServer): Promise<TaskJson> {
    const request = { message: hello(), configuration: { returnImmediately: true } }
    return (await binding.result(await binding.call(server, 'sendMessage', request)))['task'] as TaskJson
  }

  test('is the same message by default', async () => {
    const server = await startTestServer()
    expect((await send(server)).id).toBe((await send(server)).id)
  })

  test("is another message with idempotency: 'off'", async () => {
    const server = await startTestServer({ idempotency: 'off' })
    expect((await send(server)).id).not.toBe((await send(server)).id)
  })
})

test('idempotency is on or off', async () => {
  await expect(startTestServer({ idempotency: 'sometimes' as 'on' })).rejects.toThrow("idempotency must be 'on' or 'off'")
})
