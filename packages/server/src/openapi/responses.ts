import { ERROR_TABLE, type ErrorRow } from '@moorage/protocol'
import { type ComponentName, schemaRef } from './components.js'

/** The statuses that any operation may answer with; those of routes and verbs belong to no operation. */
const STATUSES = [400, 404, 413, 429, 500, 503]
const WITH_SECURITY = [401, 403]

const HEADERS: Readonly<Record<number, object>> = {
  401: { 'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string' } } },
  429: { 'Retry-After': { description: 'When to come again, in seconds.', schema: { type: 'integer' } } },
  503: { 'Retry-After': { description: 'When to come again, in seconds.', schema: { type: 'integer' } } },
}

/** The binding answers in either type, as `Accept` or the request's own type says (A2A §11.1). */
export function jsonContent(schema: object, example?: unknown): object {
  const media = { schema, ...(example !== undefined && { example }) }
  return { 'application/a2a+json': media, 'application/json': media }
}

/** The errors of the binding (A2A §11.6), a response for each HTTP status, named `Error404` and so on. */
export function errorResponses(secured: boolean): Readonly<Record<string, object>> {
  return Object.fromEntries(
    statuses(secured).map((status) => [
      `Error${status}`,
      { description: describe(status), content: jsonContent(schemaRef('Error')), ...(HEADERS[status] && { headers: HEADERS[status] }) },
    ]),
  )
}

/** Of every error with this status, how its ErrorInfo or its google.rpc.Code names it. */
function describe(status: number): string {
  const rows = Object.values<ErrorRow>(ERROR_TABLE).filter(({ httpStatus }) => httpStatus === status)
  return [...new Set(rows.map((row) => row.reason ?? row.status))].join(', ')
}

function statuses(secured: boolean): readonly number[] {
  return [...STATUSES, ...(secured ? WITH_SECURITY : [])].toSorted()
}

/** Every response of one operation. */
export function responsesOf(answer: ComponentName | 'stream' | 'nothing', secured: boolean): object {
  return {
    200: success(answer),
    ...Object.fromEntries(statuses(secured).map((status) => [status, { $ref: `#/components/responses/Error${status}` }])),
  }
}

function success(answer: ComponentName | 'stream' | 'nothing'): object {
  if (answer === 'nothing') return { description: 'Done.', content: jsonContent({ type: 'object' }) }
  if (answer !== 'stream') return { description: answer, content: jsonContent(schemaRef(answer)) }
  return {
    description:
      'Server-sent events. The `data` of each is a StreamResponse, its `id` the place to go on from with Last-Event-ID. An event named ' +
      '`error` with an Error ends a stream that broke; comments keep it open.',
    content: {
      'text/event-stream': {
        schema: { type: 'string', contentMediaType: 'application/json', contentSchema: schemaRef('StreamResponse') },
      },
    },
  }
}
