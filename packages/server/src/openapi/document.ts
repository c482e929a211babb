import type { AgentCardJson, PartJson } from '@moorage/protocol'
import type { OperationName } from '../dispatch.js'
import { ROUTES, type RouteRow } from '../http-json/match-route.js'
import { type ComponentName, componentSchemas, type JsonSchema, parameterSchemas, schemaRef } from './components.js'
import { DOCUMENTED } from './documented-operations.js'
import { errorResponses, jsonContent, responsesOf } from './responses.js'
import { security } from './security.js'

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  readonly openapi: string
  readonly info: object
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly components: object
  readonly security?: readonly object[]
}

/** What is the same for every operation of a card. */
interface Context {
  readonly secured: boolean
  readonly examples: Partial<Record<ComponentName, unknown>>
}

/** The HTTP+JSON binding of A2A 1.0 as the card declares it: its routes are those that are served, its schemas those that check. */
export function openApiDocument(card: AgentCardJson, rows: readonly RouteRow[] = ROUTES): OpenApiDocument {
  const { schemes, requirements } = security(card)
  const secured = requirements.length > 0
  const context: Context = { secured, examples: examples(card) }
  return {
    openapi: '3.1.0',
    info: { title: card.name, version: card.version, description: card.description },
    servers: [...new Set(interfaceUrls(card))].map((url) => ({ url })),
    ...(secured && { security: requirements }),
    paths: Object.fromEntries(
      ['', '/{tenant}'].flatMap((prefix) =>
        rows.map((row) => [`${prefix}/${row.segments.join('/')}`, pathItem(row, prefix !== '', context)] as const),
      ),
    ),
    components: {
      schemas: componentSchemas(rows === ROUTES ? ['AuthorizeTaskRequest'] : []),
      responses: errorResponses(secured),
      ...(secured && { securitySchemes: schemes }),
    },
  }
}

function interfaceUrls({ supportedInterfaces }: AgentCardJson): readonly string[] {
  return supportedInterfaces
    .filter(({ protocolBinding, protocolVersion }) => protocolBinding === 'HTTP+JSON' && protocolVersion === '1.0')
    .map(({ url }) => url.replace(/\/+$/, ''))
}

function pathItem({ segments, verbs }: RouteRow, inTenant: boolean, context: Context) {
  const names = segments.flatMap((segment) => /^\{(\w+)\}/.exec(segment)?.[1] ?? [])
  const inPath = inTenant ? ['tenant', ...names] : names
  const [first] = Object.keys(verbs)
  return Object.fromEntries(
    Object.entries(verbs).map(([verb, name]) => {
      const suffix = `${inTenant ? 'OfTenant' : ''}${verb === first || name !== verbs[first ?? ''] ? '' : `By${verb}`}`
      return [verb.toLowerCase(), { operationId: `${name}${suffix}`, ...operation(name, verb, inPath, context) }]
    }),
  )
}

function operation(name: OperationName, verb: string, inPath: readonly string[], { secured, examples: given }: Context) {
  const { summary, answer, parameters, body, bodyIsOptional = false } = DOCUMENTED[name]
  const fields: Readonly<Record<string, JsonSchema>> = { tenant: TENANT, ...(parameters && parameterSchemas(parameters)) }
  const inQuery = verb === 'POST' ? ['tenant'] : Object.keys(fields)
  return {
    summary,
    parameters: [
      ...inPath.map((field) => parameter('path', field, fields[field], true)),
      ...inQuery.filter((field) => !inPath.includes(field)).map((field) => parameter('query', field, fields[field])),
      ...HEADERS.map(([header, description, required]) => parameter('header', header, { type: 'string' }, required, description)),
      ...(name === 'subscribeToTask' ? [parameter('header', 'Last-Event-ID', { type: 'string', pattern: String.raw`^\d+$` })] : []),
    ],
    ...(body && verb === 'POST' && { requestBody: { required: !bodyIsOptional, content: jsonContent(schemaRef(body), given[body]) } }),
    responses: responsesOf(answer, secured),
  }
}

const TENANT: JsonSchema = parameterSchemas('getExtendedAgentCard')['tenant'] ?? { type: 'string' }

const HEADERS = [
  ['A2A-Version', 'Major.Minor of the protocol, such as 1.0; also taken as a query parameter.', true],
  ['A2A-Extensions', 'The extensions to activate, separated by commas.', false],
] as const

function parameter(where: string, name: string, schema: JsonSchema = {}, required = false, description?: string) {
  return { name, in: where, schema, ...(required && { required }), ...(description && { description }) }
}

/** Bodies that are taken as they are. */
function examples({ defaultInputModes }: AgentCardJson): Context['examples'] {
  const message = { messageId: 'b0f0cbb4-0d5b-4f0e-9d35-2c5e5f2f0a11', role: 'ROLE_USER', parts: [examplePart(defaultInputModes)] }
  return {
    SendMessageRequest: { message, configuration: { returnImmediately: true } },
    CancelTaskRequest: { metadata: { reason: 'no longer needed' } },
    TaskPushNotificationConfig: { url: 'https://example.com/notifications', authentication: { scheme: 'Bearer', credentials: 'token' } },
  }
}

function examplePart(modes: readonly string[]): PartJson {
  const [first = 'text/plain'] = modes
  if (modes.some((mode) => ['text/plain', 'text/*', '*/*'].includes(mode))) return { text: 'Hello' }
  return first === 'application/json' ? { data: {} } : { raw: '', mediaType: first }
}
