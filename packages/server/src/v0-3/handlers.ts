import { ExtendedAgentCardNotConfiguredError, UnsupportedOperationError } from '@a2a-js/sdk/errors'
import type { Handler, OperationName } from '../dispatch.js'

export type Handlers = Readonly<Record<OperationName, Handler>>

/** What a request names a push config by in its 1.0 form, unchecked. */
interface ConfigKey {
  readonly taskId?: unknown
  readonly id?: unknown
}

/**
 * The operations as 0.3 means them: a push config needs no id, and is the task's one where it has none; and an extended card
 * that is not declared is one that is not configured.
 */
export function v03Handlers(handlers: Handlers): Handlers {
  return {
    ...handlers,
    async createTaskPushNotificationConfig(request, call) {
      const { taskId, id } = request as ConfigKey
      return handlers.createTaskPushNotificationConfig(isUnset(id) ? { ...(request as object), id: taskId } : request, call)
    },
    async getTaskPushNotificationConfig(request, call) {
      const { taskId, id } = request as ConfigKey
      if (!isUnset(id)) return handlers.getTaskPushNotificationConfig(request, call)
      // A task has so few of them that one page has them all.
      const configs = configsOf(await handlers.listTaskPushNotificationConfigs({ taskId }, call))
      const config = configs.find((candidate) => candidate.id === taskId) ?? configs[0]
      return handlers.getTaskPushNotificationConfig({ taskId, id: config?.id ?? taskId }, call)
    },
    async getExtendedAgentCard(request, call) {
      try {
        return await handlers.getExtendedAgentCard(request, call)
      } catch (error) {
        throw error instanceof UnsupportedOperationError ? new ExtendedAgentCardNotConfiguredError() : error
      }
    },
  }
}

function isUnset(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function configsOf(answer: Awaited<ReturnType<Handler>>): readonly ConfigKey[] {
  return answer.kind === 'value' ? (answer.value as { readonly configs: readonly ConfigKey[] }).configs : []
}
