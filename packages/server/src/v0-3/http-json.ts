import { toJsonRpcError, type WireError } from '../errors.js'
import type { HttpJsonDialect } from '../http-json/dialect.js'
import { decodeSegments, matchSegments, type RouteRow } from '../http-json/match-route.js'
import { PLAIN_JSON } from '../http-json/negotiate.js'
import { bindFields } from '../http-json/read-request.js'
import { V0_3 } from '../service-parameters.js'
import { isRecord } from './convert-fields.js'
import { inTermsOf, messageNames, type Terms } from './field-names.js'
import { type Handlers, v03Handlers } from './handlers.js'
import { FROM_V03, TO_V03, toV03Event, toV03State } from './http-json-codec.js'
import { V03_EXTENSIONS_HEADER } from './json-rpc.js'

/** The routes of HTTP+JSON in A2A 0.3, under `/v1`. Its prose has `:subscribe` as POST, its proto as GET; `GET /tasks` the prose alone. */
const ROUTES: readonly RouteRow[] = [
  { segments: ['message:send'], verbs: { POST: 'sendMessage' } },
  { segments: ['message:stream'], verbs: { POST: 'sendStreamingMessage' } },
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
  { segments: ['card'], verbs: { GET: 'getExtendedAgentCard' } },
]

const TERMS: Terms = {
  fields: [
    ...messageNames({ parts: 'content', bytes: 'fileWithBytes', uri: 'fileWithUri', pushConfig: 'pushNotification' }),
    [/^authentication\.scheme$/, 'pushNotificationConfig.authentication.schemes'],
    [/^(?=url$|token$|authentication)/, 'pushNotificationConfig.'],
  ],
  enumValue: toV03State,
}

/**
 * A2A 0.3 in HTTP+JSON, under `/v1`: the ProtoJSON of its own proto. The SDK's codec for it is not exported, and its handler comes with
 * Express alone; between two forms of ProtoJSON there is little to convert.
 */
export function v03HttpJson({ handlers }: { readonly handlers: Handlers }): HttpJsonDialect {
  const named = Object.entries(v03Handlers(handlers)).map(([operation, handler]) => [
    operation,
    (...request: Parameters<typeof handler>) => inTermsOf(TERMS, () => handler(...request)),
  ])
  return {
    version: V0_3,
    extensionsHeader: V03_EXTENSIONS_HEADER,
    handlers: Object.fromEntries(named) as Handlers,
    match(path) {
      const segments = decodeSegments(path)
      const route = segments && matchSegments(ROUTES, segments)
      return route && { ...route, tenant: '' }
    },
    mediaType: () => PLAIN_JSON,
    request(operation, given, route) {
      const converted = FROM_V03[operation]?.(given, 0)
      const request = isRecord(converted) ? { ...converted } : {}
      bindFields(request, route)
      return request
    },
    value: (operation, value) => TO_V03[operation]?.(value, 0),
    event: ({ payload, last = false }) => toV03Event(payload, last),
    error: toV03Error,
  }
}

/** The error of JSON-RPC without its envelope: what 0.3 calls "a JSONRPCError or equivalent" (its §7), and the SDK's client reads. */
export function toV03Error(wire: WireError): object {
  return toJsonRpcError(wire)
}
