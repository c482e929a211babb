import { ExtendedAgentCardNotConfiguredError } from '@a2a-js/sdk/errors'
import type { Handler, OperationName } from '../dispatch.js'

export type Handlers = Readonly<Record<OperationName, Handler>>

interface ConfigPage {
  readonly configs?: readonly { readonly id: string }[]
  readonly nextPageToken?: string
}

/** What a request about push configs says in its 1.0 form, unchecked. */
interface ConfigRequest {
  readonly taskId?: unknown
  readonly id?: unknown
  readonly pageSize?: unknown
}

/**
 * The operations as 0.3 means them: a push config needs no id, and is the task's one where it has none; a list of them has no pages unless
 * they are asked for; and there is no extended card, whatever 1.0 has.
 */
export function v03Handlers(handlers: Handlers): Handlers {
  const list = handlers.listTaskPushNotificationConfigs
  const get = handlers.getTaskPushNotificationConfig
  const create = handlers.createTaskPushNotificationConfig
  return {
    ...handlers,
    async createTaskPushNotificationConfig(request, call) {
      const { taskId, id } = request as ConfigRequest
      return create(isUnset(id) ? { ...(request as object), id: taskId } : request, call)
    },
    async getTaskPushNotificationConfig(request, call) {
      const { taskId, id } = request as ConfigRequest
      if (!isUnset(id)) return get(request, call)
      const configs = await allConfigs(list, taskId, call)
      const named = configs.find((config) => config.id === taskId) ?? configs[0]
      return get({ taskId, id: named?.id ?? taskId }, call)
    },
    async listTaskPushNotificationConfigs(request, call) {
      const { taskId, pageSize } = request as ConfigRequest
      if (!isUnset(pageSize)) return list(request, call)
      return { kind: 'value', value: { configs: await allConfigs(list, taskId, call) } }
    },
    async getExtendedAgentCard() {
      throw new ExtendedAgentCardNotConfiguredError()
    },
  }
}

function isUnset(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

async function allConfigs(list: Handler, taskId: unknown, call: Parameters<Handler>[1]): Promise<readonly { readonly id: string }[]> {
  const configs: { readonly id: string }[] = []
  for (let pageToken: string | undefined = ''; pageToken !== undefined; ) {
    const page = await onePage(list, { taskId, pageToken }, call)
    configs.push(...(page.configs ?? []))
    pageToken = page.nextPageToken || undefined
  }
  return configs
}

async function onePage(list: Handler, request: object, call: Parameters<Handler>[1]): Promise<ConfigPage> {
  const answer = await list(request, call)
  return answer.kind === 'value' ? (answer.value as ConfigPage) : {}
}
