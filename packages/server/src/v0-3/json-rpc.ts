import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server'
import { ServerCallContext } from '@a2a-js/sdk/server'
import { type AgentCardJson, fieldViolations } from '@moorage/protocol'
import type { z } from 'zod'
import type { Answer } from '../dispatch.js'
import { InvalidParamsError } from '../errors.js'
import type { JsonRpcDialect, Method, MethodEvent } from '../json-rpc/methods.js'
import type { Call } from '../operations/call.js'
import { checkComplexity } from '../operations/complexity.js'
import { type FieldNames, inTermsOf, messageNames } from './field-names.js'
import { type Handlers, v03Handlers } from './handlers.js'
import { V03_PARAMS } from './params.js'
import { createRequestHandler, type RequestHandlerNotes } from './request-handler.js'

/** The extensions of a request in A2A 0.3, and in its answer. */
export const V03_EXTENSIONS_HEADER = 'X-A2A-Extensions'

const MESSAGE_NAMES = messageNames({ parts: 'parts', bytes: 'bytes', uri: 'uri', pushConfig: 'pushNotificationConfig' })
const CONFIG_NAMES: FieldNames = [
  [/^authentication\.scheme$/, 'pushNotificationConfig.authentication.schemes'],
  [/^(?=id$|url$|token$|authentication)/, 'pushNotificationConfig.'],
]
const CONFIG_ID_NAMES: FieldNames = [
  [/^id$/, 'pushNotificationConfigId'],
  [/^taskId$/, 'id'],
]

/** A2A 0.3 in JSON-RPC: the SDK's own handler says what its messages look like, and our operations do what they ask for. */
export function v03JsonRpc(context: { readonly card: AgentCardJson; readonly handlers: Handlers }): JsonRpcDialect {
  const methods = [...V03_PARAMS].map(([name, schema]): [string, Method] => {
    const fields = namesOf(name)
    return [
      name,
      async (params, call) => {
        const request = parseParams(schema, params)
        const { metadata } = request as Pick<Call, 'metadata'>
        return inTermsOf({ fields, enumValue }, () => exchange(context, name, request, { ...call, ...(metadata && { metadata }) }))
      },
    ]
  })
  return { extensionsHeader: V03_EXTENSIONS_HEADER, methods: new Map(methods) }
}

/** `TASK_STATE_INPUT_REQUIRED` is `input-required`, and `ROLE_USER` is `user`. */
function enumValue(name: string): string {
  return name
    .replace(/^(?:TASK_STATE|ROLE)_/, '')
    .toLowerCase()
    .replaceAll('_', '-')
}

function namesOf(method: string): FieldNames {
  if (method.startsWith('message/')) return MESSAGE_NAMES
  if (!method.startsWith('tasks/pushNotificationConfig/')) return []
  return method.endsWith('/set') ? CONFIG_NAMES : CONFIG_ID_NAMES
}

function parseParams(schema: z.ZodType<object>, params: object): object {
  checkComplexity(params)
  const parsed = schema.safeParse(params)
  if (!parsed.success) throw new InvalidParamsError(fieldViolations(parsed.error))
  return parsed.data
}

/**
 * One request through the SDK's handler. What an operation refuses comes out as it went in: the SDK would drop half of it. An extended card does not go
 * through it: it is signed in the form that it has.
 */
async function exchange(
  context: { readonly card: AgentCardJson; readonly handlers: Handlers },
  method: string,
  params: object,
  call: Call,
): Promise<Answer<MethodEvent>> {
  if (method === 'agent/getAuthenticatedExtendedCard') return v03Handlers(context.handlers).getExtendedAgentCard({}, call)
  const notes: RequestHandlerNotes = { failure: undefined, begun: undefined, seq: 0, last: false }
  const handler = new LegacyJsonRpcTransportHandler(createRequestHandler(context, call, notes))
  const answer = await handler.handle({ jsonrpc: '2.0', id: 0, method, params }, new ServerCallContext())
  if (Symbol.asyncIterator in answer) {
    await notes.begun
    return { kind: 'stream', events: numbered(answer, notes) }
  }
  if ('error' in answer) throw notes.failure ?? new Error(`The SDK's handler of A2A 0.3 refused a request: ${answer.error.message}`)
  return { kind: 'value', value: answer.result }
}

/** `final` ends "the stream for this interaction" (A2A 0.3 §7.2): what the SDK says of it is that of the task's end alone. */
async function* numbered(
  answers: AsyncGenerator<object, void, undefined>,
  notes: RequestHandlerNotes,
): AsyncGenerator<MethodEvent, void, undefined> {
  for await (const answer of answers) {
    const { result } = answer as { readonly result: object }
    yield { seq: notes.seq, payload: 'final' in result ? { ...result, final: notes.last } : result }
  }
}
