import { expect } from 'vitest'
import { kitId } from '../kit/kit-messages.js'
import { scenario } from '../scenario.js'
import { expectError } from '../wire/expect-error.js'
import { kitTask } from './kit-core.js'

const WEBHOOK = 'https://example.com/tck-push-webhook'

scenario(
  'the kit: push configs of a task that has ended',
  [
    'PUSH-CREATE-001',
    'PUSH-CREATE-002',
    'PUSH-GET-001',
    'PUSH-GET-002',
    'PUSH-LIST-001',
    'PUSH-DEL-001',
    'PUSH-DEL-002',
    'PUSH-02',
    'PUSH-05',
    'PUSH-06',
    'PUSH-07',
    'PUSH-08',
  ],
  { profile: 'everything' },
  async ({ kit, binding }) => {
    // The kit gives one id to the configs of many tasks.
    for (const _ of ['one task', 'another']) {
      const { id: taskId } = await kitTask(kit, 'complete-task')
      const of = { taskId, id: kitId('push') }
      expect(await kit.result('CreateTaskPushNotificationConfig', { ...of, url: WEBHOOK })).toMatchObject({ id: of.id, url: WEBHOOK })
      expect(await kit.result('GetTaskPushNotificationConfig', of)).toMatchObject({ id: of.id, url: WEBHOOK })
      expectError(await kit.refusal('GetTaskPushNotificationConfig', { taskId, id: kitId('nonexistent') }), binding, 'TASK_NOT_FOUND')
      expect(await kit.result('ListTaskPushNotificationConfigs', { taskId })).toMatchObject({ configs: [{ id: of.id }] })
      await kit.result('DeleteTaskPushNotificationConfig', of)
      expectError(await kit.refusal('GetTaskPushNotificationConfig', of), binding, 'TASK_NOT_FOUND')
      await kit.result('DeleteTaskPushNotificationConfig', of)
    }
  },
)
