import { expect, test } from 'vitest'
import { A2A_JSON, type JsonMediaType, negotiate, PLAIN_JSON } from './negotiate.js'

test.each<[string | undefined, string | undefined, JsonMediaType, JsonMediaType]>([
  [undefined, undefined, A2A_JSON, A2A_JSON],
  ['*/*', undefined, A2A_JSON, A2A_JSON],
  ['*/*', undefined, PLAIN_JSON, PLAIN_JSON],
  ['*/*', 'application/json', A2A_JSON, PLAIN_JSON],
  ['*/*', 'application/a2a+json', PLAIN_JSON, A2A_JSON],
  ['*/*', 'text/plain', A2A_JSON, A2A_JSON],
  ['text/event-stream', 'application/json', A2A_JSON, PLAIN_JSON],
  ['application/json', 'application/a2a+json', A2A_JSON, PLAIN_JSON],
  ['application/a2a+json, application/json', undefined, A2A_JSON, A2A_JSON],
  ['application/a2a+json, application/json', undefined, PLAIN_JSON, PLAIN_JSON],
  ['application/a2a+json;q=0.5, Application/JSON', undefined, A2A_JSON, PLAIN_JSON],
  ['application/a2a+json; q=0, */*', 'application/json', A2A_JSON, PLAIN_JSON],
  ['application/json;q=x', undefined, A2A_JSON, A2A_JSON],
])('Accept %j with a request of %j and %s preferred is answered with %s', (accept, requestType, preferred, expected) => {
  expect(negotiate(accept, requestType, preferred)).toBe(expected)
})
