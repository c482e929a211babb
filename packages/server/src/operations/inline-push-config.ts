import type { SendMessageRequestJson } from '@moorage/protocol'
import { checkPushConfig, sealPushConfig } from '@moorage/push'
import type { Principal, PushConfigRecord } from '@moorage/store'
import { InvalidParamsError, invalidParam } from '../errors.js'
import type { Call } from './call.js'
import { requirePushNotifications } from './capabilities.js'
import type { OperationContext } from './context.js'

/** Where a message carries the push notification config of its task. */
export const INLINE_PUSH_CONFIG = 'configuration.taskPushNotificationConfig'

/**
 * Checks the push notification config that comes with a message by itself. It needs no `taskId`: a new task has none yet, and a task that
 * the message names is the only one that the config could be for.
 * @throws InvalidParamsError
 */
export function checkInlinePushConfig({ message, configuration }: SendMessageRequestJson): void {
  const config = configuration?.taskPushNotificationConfig
  if (config === undefined) return
  const violations = checkPushConfig(config, INLINE_PUSH_CONFIG)
  if (violations.length > 0) throw new InvalidParamsError(violations)
  if (config.taskId !== undefined && config.taskId !== message.taskId) {
    throw invalidParam(`${INLINE_PUSH_CONFIG}.taskId`, 'Leave it out: the config is for the task of the message.')
  }
}

/**
 * How the config of a message becomes what is stored of it; undefined where the message has none.
 * @throws InvalidParamsError where it names another tenant, PushNotificationNotSupportedError where the card does not declare the capability
 */
export function sealInlinePushConfig(
  context: OperationContext,
  { configuration }: SendMessageRequestJson,
  { tenant }: Principal,
  { version }: Call,
): ((taskId: string) => Promise<PushConfigRecord>) | undefined {
  const config = configuration?.taskPushNotificationConfig
  if (config === undefined) return undefined
  if (config.tenant !== undefined && config.tenant !== tenant) {
    throw invalidParam(`${INLINE_PUSH_CONFIG}.tenant`, 'Leave it out: it differs from the one of the message.')
  }
  const pushKeys = requirePushNotifications(context)
  return (taskId) => sealPushConfig(pushKeys, taskId, config, version)
}
