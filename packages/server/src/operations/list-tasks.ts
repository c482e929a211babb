import type { ListTasksRequestJson, ListTasksResponseJson } from '@moorage/protocol'
import type { ListCursor, Principal } from '@moorage/store'
import { invalidParam } from '../errors.js'
import type { Call } from './call.js'
import type { OperationContext } from './context.js'
import { enter } from './enter.js'

const DEFAULT_PAGE_SIZE = 50

/** ListTasks (A2A §3.1.4): the tasks that the caller may see, the newest status first. */
export async function listTasks(context: OperationContext, request: ListTasksRequestJson, call: Call): Promise<ListTasksResponseJson> {
  const viewer = await enter(context, call, request)
  const scope = scopeOf(context.agent.id, request, viewer)
  const after = await openToken(context, request.pageToken, scope)
  const pageSize = request.pageSize ?? DEFAULT_PAGE_SIZE
  const page = await context.store.list(
    {
      agent: context.agent.id,
      pageSize,
      includeArtifacts: request.includeArtifacts ?? false,
      ...(request.contextId !== undefined && { contextId: request.contextId }),
      ...(request.status !== undefined && { state: request.status }),
      ...(request.statusTimestampAfter !== undefined && { statusSince: request.statusTimestampAfter }),
      ...(request.historyLength !== undefined && { historyLength: request.historyLength }),
      ...(after && { after }),
    },
    viewer,
  )
  const nextPageToken = page.next ? await context.pageTokens.seal(page.next, scope) : ''
  return { tasks: page.tasks, nextPageToken, pageSize, totalSize: page.totalSize }
}

/** What a page token is bound to: whose list, and by which filters. Page size and what is left out may change from page to page. */
function scopeOf(agent: string, request: ListTasksRequestJson, { tenant, subject, participant }: Principal): string {
  const filters = [request.contextId, request.status, request.statusTimestampAfter].map((filter) => filter ?? null)
  return JSON.stringify(['tasks', agent, tenant, subject, participant, ...filters])
}

async function openToken({ pageTokens }: OperationContext, token: string | undefined, scope: string): Promise<ListCursor | undefined> {
  if (token === undefined) return undefined
  const cursor = await pageTokens.open<ListCursor>(token, scope)
  if (cursor === undefined) {
    throw invalidParam('pageToken', 'Send the nextPageToken of the page before, with the same filters, or none for the first page.')
  }
  return cursor
}
