import { StoreUnavailableError } from '@moorage/store'
import { describe, expect, it } from 'vitest'
import { BINDINGS } from './testing/bindings.js'
import { auditOf } from './testing/database.js'
import { PUSHING } from './testing/push.js'
import { overrideStore, startTestServer } from './testing/test-server.js'
import { hello } from './testing/test-tasks.js'

const READS = [
  ['getTask', { id: 'none' }],
  ['subscribeToTask', { id: 'none' }],
  ['getTaskPushNotificationConfig', { taskId: 'none', id: 'c' }],
  ['listTaskPushNotificationConfigs', { taskId: 'none' }],
] as const

describe.each(BINDINGS)('a refused read, over $name', (binding) => {
  it.each(READS)('of %s is not answered where the audit cannot be written', async (operation, request) => {
    const away = () => Promise.reject(new StoreUnavailableError('away'))
    const server = await startTestServer({ ...PUSHING, wrapStore: (store) => overrideStore(store, { transact: away }) })
    expect(await binding.error(await binding.call(server, operation, request))).toMatchObject({ httpStatus: 503 })
  })

  it('of a push notification config that the task does not have is in the audit by a reason of its own', async () => {
    const server = await startTestServer(PUSHING)
    const sent = { message: hello(), configuration: { returnImmediately: true } }
    const { id } = (await binding.result(await binding.call(server, 'sendMessage', sent)))['task'] as { id: string }
    const lines = await auditOf(server, () => binding.call(server, 'getTaskPushNotificationConfig', { taskId: id, id: 'none' }))
    expect(lines).toMatchObject([{ operation: 'get push config', outcome: 'refused', reason: 'config-not-found', task_id: id }])
  })
})
