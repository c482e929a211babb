import { ContentTypeNotSupportedError } from '@a2a-js/sdk/errors'
import type { Context } from 'hono'
import { mediaType, parseJson, readText, requirePlainUtf8 } from '../body.js'
import type { OperationName } from '../dispatch.js'
import { invalidParam, Refusal } from '../errors.js'
import { VERSION_HEADER } from '../service-parameters.js'
import { snakeCase } from '../snake-case.js'
import type { Route } from './match-route.js'
import { A2A_JSON, isJsonMediaType, PLAIN_JSON } from './negotiate.js'

/** Requests that are complete without a body: the path says it all. */
const BODY_IS_OPTIONAL: ReadonlySet<OperationName> = new Set<OperationName>(['cancelTask', 'authorizeTask', 'subscribeToTask'])

/** @throws ContentTypeNotSupportedError for a body that is declared as something else than JSON in UTF-8 */
export function requireJsonBody(c: Context): void {
  if (c.req.method !== 'POST') return
  const type = mediaType(c.req.header('Content-Type'))
  if (type !== undefined && !isJsonMediaType(type)) throw notJson()
  requirePlainUtf8(c)
}

/**
 * The request without the fields of its path: the body of a POST, the query of everything else.
 * @throws Refusal for what is no JSON object, ContentTypeNotSupportedError for a body of no declared type
 */
export async function readRequest(c: Context, operation: OperationName): Promise<Record<string, unknown>> {
  if (c.req.method !== 'POST') return readQuery(c)
  const text = await readText(c)
  // A browser sends a body without a type to any address without asking (CORS).
  if (text !== '' && c.req.header('Content-Type') === undefined) throw notJson()
  const optional = BODY_IS_OPTIONAL.has(operation)
  const body = optional && text.trim() === '' ? {} : parseJson(text)
  // What clients of A2A 0.3 in Go and Python write where they have nothing to say.
  if (optional && body === null) return {}
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>
  throw new Refusal('InvalidRequest', { message: 'Request payload validation error: send a JSON object' })
}

function notJson(): Error {
  return new ContentTypeNotSupportedError({ message: `Send Content-Type: ${A2A_JSON} or ${PLAIN_JSON}` })
}

/** One value is a string, several are a list, which no schema takes. Version and tenant may be in the query of any request. */
function readQuery(c: Context): Record<string, unknown> {
  const { [VERSION_HEADER]: _, tenant: __, ...parameters } = c.req.queries()
  return Object.fromEntries(Object.entries(parameters).map(([name, values]) => [name, values.length === 1 ? values[0] : values]))
}

/**
 * Puts the fields that the path gives into the request. A copy of a hundred thousand unknown fields would cost more than all the rest.
 * @throws InvalidParamsError where the request says otherwise
 */
export function bindFields(request: Record<string, unknown>, { fields }: Route): void {
  for (const [field, value] of Object.entries(fields)) {
    for (const name of new Set([field, snakeCase(field)])) {
      const given = request[name]
      delete request[name]
      if (given !== undefined && given !== null && given !== '' && given !== value) {
        throw invalidParam(field, 'Leave it out: it differs from the one in the URL.')
      }
    }
    request[field] = value
  }
}
