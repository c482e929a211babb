import {
  authorizeTaskRequestSchema,
  cancelTaskRequestSchema,
  createPushConfigRequestSchema,
  fieldViolations,
  getExtendedAgentCardRequestSchema,
  getTaskRequestSchema,
  listPushConfigsRequestSchema,
  listTasksRequestSchema,
  onePushConfigRequestSchema,
  sendMessageRequestSchema,
  subscribeToTaskRequestSchema,
  type WireSchema,
} from '@moorage/protocol'
import { inCallersSpelling } from './callers-spelling.js'
import { InvalidParamsError } from './errors.js'
import type { Call, StreamEvent } from './operations/call.js'
import { checkComplexity } from './operations/complexity.js'
import type { Operations } from './operations/operations.js'

/** What an operation answers: one JSON value, or a stream of events. */
export type Answer<Event = StreamEvent> =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'stream'; readonly events: AsyncIterable<Event> }

/** One operation over unchecked JSON. @throws InvalidParamsError that names the fields which are wrong */
export type Handler = (request: unknown, call: Call) => Promise<Answer>

export type OperationName = keyof Operations

/** The operations with the schemas of their requests, as the bindings call them. */
export function createHandlers(operations: Operations): Readonly<Record<OperationName, Handler>> {
  return {
    sendMessage: unary(sendMessageRequestSchema, operations.sendMessage),
    sendStreamingMessage: streaming(sendMessageRequestSchema, operations.sendStreamingMessage),
    getTask: unary(getTaskRequestSchema, operations.getTask),
    listTasks: unary(listTasksRequestSchema, operations.listTasks),
    cancelTask: unary(cancelTaskRequestSchema, operations.cancelTask),
    subscribeToTask: streaming(subscribeToTaskRequestSchema, operations.subscribeToTask),
    createTaskPushNotificationConfig: unary(createPushConfigRequestSchema, operations.createTaskPushNotificationConfig),
    getTaskPushNotificationConfig: unary(onePushConfigRequestSchema, operations.getTaskPushNotificationConfig),
    listTaskPushNotificationConfigs: unary(listPushConfigsRequestSchema, operations.listTaskPushNotificationConfigs),
    deleteTaskPushNotificationConfig: unary(onePushConfigRequestSchema, operations.deleteTaskPushNotificationConfig),
    getExtendedAgentCard: unary(getExtendedAgentCardRequestSchema, operations.getExtendedAgentCard),
    authorizeTask: unary(authorizeTaskRequestSchema, operations.authorizeTask),
  }
}

/** An operation that answers with one value. */
export function unary<Request>(schema: WireSchema<Request>, run: (request: Request, call: Call) => Promise<unknown>): Handler {
  return handler(schema, async (request, call) => ({ kind: 'value', value: await run(request, call) }))
}

function streaming<Request>(
  schema: WireSchema<Request>,
  run: (request: Request, call: Call) => Promise<AsyncIterable<StreamEvent>>,
): Handler {
  return handler(schema, async (request, call) => {
    call.beginStream()
    return { kind: 'stream', events: await run(request, call) }
  })
}

function handler<Request>(schema: WireSchema<Request>, run: (request: Request, call: Call) => Promise<Answer>): Handler {
  return async (request, call) => {
    try {
      return await run(parseRequest(schema, request), call)
    } catch (error) {
      if (error instanceof InvalidParamsError) throw new InvalidParamsError(inCallersSpelling(error.violations, request))
      throw error
    }
  }
}

function parseRequest<Request>(schema: WireSchema<Request>, request: unknown): Request {
  checkComplexity(request)
  const parsed = schema.safeParse(request)
  if (!parsed.success) throw new InvalidParamsError(fieldViolations(parsed.error))
  return parsed.data
}
