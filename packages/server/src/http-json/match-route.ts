import { RESERVED_TENANTS } from '@moorage/card/routes'
import type { OperationName } from '../dispatch.js'

/** A pattern of a path, without the slashes, and the operations by verb. */
export interface RouteRow {
  readonly segments: readonly string[]
  readonly verbs: Readonly<Record<string, OperationName>>
}

/** The routes of the HTTP+JSON binding (A2A §11.3). The proto has `:subscribe` as GET, §11.3.2 as POST: both are served. */
export const ROUTES: readonly RouteRow[] = [
  { segments: ['message:send'], verbs: { POST: 'sendMessage' } },
  { segments: ['message:stream'], verbs: { POST: 'sendStreamingMessage' } },
  { segments: ['tasks'], verbs: { GET: 'listTasks' } },
  { segments: ['tasks', '{id}:cancel'], verbs: { POST: 'cancelTask' } },
  { segments: ['tasks', '{id}:subscribe'], verbs: { GET: 'subscribeToTask', POST: 'subscribeToTask' } },
  { segments: ['tasks', '{id}'], verbs: { GET: 'getTask' } },
  {
    segments: ['tasks', '{taskId}', 'pushNotificationConfigs'],
    verbs: { POST: 'createTaskPushNotificationConfig', GET: 'listTaskPushNotificationConfigs' },
  },
  {
    segments: ['tasks', '{taskId}', 'pushNotificationConfigs', '{id}'],
    verbs: { GET: 'getTaskPushNotificationConfig', DELETE: 'deleteTaskPushNotificationConfig' },
  },
  { segments: ['extendedAgentCard'], verbs: { GET: 'getExtendedAgentCard' } },
]

/** The same with what is ours: one says who one is and that the authorisation is there which a task asks for (A2A §7.6.1 leaves it open how). */
const AUTHENTICATED_ROUTES: readonly RouteRow[] = [{ segments: ['tasks', '{id}:authorize'], verbs: { POST: 'authorizeTask' } }, ...ROUTES]

/** The routes of a server, which knows its callers or does not. */
export function routesOf(authenticated: boolean): readonly RouteRow[] {
  return authenticated ? AUTHENTICATED_ROUTES : ROUTES
}

/** A path's route: its operations by verb, the fields that the path gives to the request, and the tenant before them. */
export interface Route {
  readonly verbs: Readonly<Record<string, OperationName>>
  readonly fields: Readonly<Record<string, string>>
  readonly tenant: string
}

/** @param rows the server's routes
 * @param path what follows the binding's base path, percent-encoded, with its slash */
export function matchRoute(rows: readonly RouteRow[], path: string): Route | undefined {
  const segments = decodeSegments(path)
  if (segments === undefined) return undefined
  const plain = matchSegments(rows, segments)
  if (plain !== undefined) return { ...plain, tenant: '' }
  const [tenant = '', ...rest] = segments
  if (tenant === '' || RESERVED_TENANTS.includes(tenant)) return undefined
  const within = matchSegments(rows, rest)
  return within && { ...within, tenant }
}

/** The segments of a path, decoded; undefined where that is impossible. */
export function decodeSegments(path: string): readonly string[] | undefined {
  try {
    return path.split('/').slice(1).map(decodeURIComponent)
  } catch {
    return undefined
  }
}

/** The first row whose pattern fits. */
export function matchSegments(rows: readonly RouteRow[], segments: readonly string[]): Omit<Route, 'tenant'> | undefined {
  for (const { segments: pattern, verbs } of rows) {
    const fields = matchPattern(pattern, segments)
    if (fields !== undefined) return { verbs, fields }
  }
  return undefined
}

function matchPattern(pattern: readonly string[], segments: readonly string[]): Readonly<Record<string, string>> | undefined {
  if (pattern.length !== segments.length) return undefined
  const fields: Record<string, string> = {}
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? ''
    const [, name, suffix = ''] = /^\{(\w+)\}(.*)$/.exec(part) ?? []
    if (name === undefined ? segment !== part : segment.length <= suffix.length || !segment.endsWith(suffix)) return undefined
    if (name !== undefined) fields[name] = segment.slice(0, segment.length - suffix.length)
  }
  return fields
}
