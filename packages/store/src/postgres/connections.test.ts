import { expect, it, onTestFinished, vi } from 'vitest'
import { StoreUnavailableError } from '../store-error.js'
import { PATIENCE } from '../suite/fixtures.js'
import { createTestSchema } from '../suite/test-schema.js'
import { connectionConfig } from './connection-config.js'
import { Connections } from './connections.js'
import { Deadline } from './deadline.js'
import { resolveSettings } from './settings.js'

vi.setConfig({ testTimeout: PATIENCE.timeout })

it('keeps the connection from whoever comes with a deadline that is over', async () => {
  const connections = new Connections(connectionConfig(resolveSettings({ url: await createTestSchema() })).client, 1)
  onTestFinished(() => connections.close())
  const process = (deadline: Deadline) => connections.use('accept', deadline, async (session) => (await session.ask(PROCESS)).rows)
  const before = await process(new Deadline(30_000))
  await expect(process(new Deadline(0))).rejects.toBeInstanceOf(StoreUnavailableError)
  expect(await process(new Deadline(30_000))).toEqual(before)
})

const PROCESS = 'select pg_backend_pid() as pid'
