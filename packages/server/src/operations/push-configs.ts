import { TaskNotFoundError } from '@a2a-js/sdk/errors'
import { decide } from '@moorage/inbox'
import { deletePushConfig, putPushConfig } from '@moorage/inbox/receive'
import type {
  CreatePushConfigRequestJson,
  ListPushConfigsRequestJson,
  ListPushConfigsResponseJson,
  OnePushConfigRequestJson,
  TaskPushNotificationConfigJson,
} from '@moorage/protocol'
import { checkPushConfig, sealPushConfig, showPushConfig } from '@moorage/push'
import type { Principal, TaskRecord } from '@moorage/store'
import { InvalidParamsError, invalidParam } from '../errors.js'
import { auditRefusedRead } from './audit-read.js'
import type { Call } from './call.js'
import { requirePushNotifications } from './capabilities.js'
import type { OperationContext } from './context.js'
import { type Addressed, type Audited, enter } from './enter.js'
import { accessRefused, pushConfigRefused } from './refusals.js'

const DEFAULT_PAGE_SIZE = 50
const LARGEST_PAGE_SIZE = 100

/** CreateTaskPushNotificationConfig (A2A §3.1.7): answers with the config as it can be read from now on, without its secrets. */
export async function createPushConfig(
  context: OperationContext,
  request: CreatePushConfigRequestJson,
  call: Call,
): Promise<TaskPushNotificationConfigJson> {
  const violations = checkPushConfig(request)
  if (violations.length > 0) throw new InvalidParamsError(violations)
  const { principal, pushKeys } = await begin(context, request, call, { operation: 'create push config', taskId: request.taskId })
  const config = await sealPushConfig(pushKeys, request.taskId, request, call.version)
  const change = await putPushConfig(context.store, context.agent.id, principal, request.taskId, config)
  if (change.result === 'refused') throw pushConfigRefused(change)
  return showPushConfig(request.taskId, config, principal.tenant)
}

/** GetTaskPushNotificationConfig (A2A §3.1.8). @throws TaskNotFoundError for an unknown config too */
export async function getPushConfig(
  context: OperationContext,
  { taskId, id, tenant }: OnePushConfigRequestJson,
  call: Call,
): Promise<TaskPushNotificationConfigJson> {
  const audited = { operation: 'get push config', taskId }
  const { principal } = await begin(context, { tenant }, call, audited)
  const found = await context.store.pushConfig(taskId, id)
  await requireAccess(context, principal, audited, found?.record)
  if (found?.config !== undefined) return showPushConfig(taskId, found.config, principal.tenant)
  await auditRefusedRead(context, principal, audited, 'config-not-found')
  throw new TaskNotFoundError({ message: 'The task has no such push notification config', metadata: { taskId, id } })
}

/** ListTaskPushNotificationConfigs (A2A §3.1.9), in the order in which they were registered; `nextPageToken` is empty on the last page. */
export async function listPushConfigs(
  context: OperationContext,
  { taskId, tenant, pageSize, pageToken }: ListPushConfigsRequestJson,
  call: Call,
): Promise<ListPushConfigsResponseJson> {
  const audited = { operation: 'list push configs', taskId }
  const { principal } = await begin(context, { tenant }, call, audited)
  const scope = JSON.stringify(['push configs', context.agent.id, principal.tenant, principal.subject, principal.participant, taskId])
  const after = pageToken === undefined ? 0 : await context.pageTokens.open<number>(pageToken, scope)
  if (after === undefined) throw invalidParam('pageToken', 'Send the nextPageToken of the page before, or none for the first page.')
  const size = Math.min(pageSize || DEFAULT_PAGE_SIZE, LARGEST_PAGE_SIZE)
  const page = await context.store.pushConfigs(taskId, { pageSize: size, after })
  await requireAccess(context, principal, audited, page?.record)
  return {
    configs: (page?.configs ?? []).map((config) => showPushConfig(taskId, config, principal.tenant)),
    nextPageToken: page?.next === undefined ? '' : await context.pageTokens.seal(page.next, scope),
  }
}

/** DeleteTaskPushNotificationConfig (A2A §3.1.10): one that is not there is deleted already. Answers with google.protobuf.Empty. */
export async function removePushConfig(
  context: OperationContext,
  { taskId, id, tenant }: OnePushConfigRequestJson,
  call: Call,
): Promise<Readonly<Record<string, never>>> {
  const { principal } = await begin(context, { tenant }, call, { operation: 'delete push config', taskId })
  const change = await deletePushConfig(context.store, context.agent.id, principal, taskId, id)
  if (change.result === 'refused') throw pushConfigRefused(change)
  return {}
}

/** Tenant and participant, then capability: before any task is looked up (A2A §3.3.4). */
async function begin(context: OperationContext, addressed: Addressed, call: Call, audited: Audited) {
  const principal = await enter(context, call, addressed, audited)
  return { principal, pushKeys: requirePushNotifications(context) }
}

/** @throws the refusal, once the audit has it */
async function requireAccess(
  context: OperationContext,
  principal: Principal,
  audited: Audited & { readonly taskId: string },
  record: TaskRecord | undefined,
): Promise<void> {
  const access = record === undefined ? 'not-found' : decide(principal, context.agent.id, 'push-config', record)
  if (access === 'allow') return
  const reason = access === 'role' ? 'role' : 'task-not-found'
  await auditRefusedRead(context, principal, audited, reason)
  throw accessRefused({ result: 'refused', reason, taskId: audited.taskId })
}
