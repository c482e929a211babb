import fc from 'fast-check'
import { oddString, spoiled } from './hostile-json.js'
import { printTree } from './json-tree.js'
import { wireRequests } from './wire-requests.js'

/** A request as it is sent to `http://agent.test`. */
export interface HostileRequest {
  readonly path: string
  readonly init: RequestInit & { readonly method: string }
}

const pick = <Value>(...values: readonly Value[]) => fc.constantFrom(...values)
const seldom = <Value>(usual: fc.Arbitrary<Value>, odd: fc.Arbitrary<Value>, weight = 6) =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: odd })

/** What a Request takes as the value of a header. */
const headerValue = fc.oneof(
  oddString.map((text) => text.slice(0, 2000).replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '?')),
  pick(
    '*/*',
    '0.3',
    '99',
    '1.0, 1.0',
    'application/json;q=a,;;,=',
    'text/html',
    'urn:x,,,',
    ',',
    '9'.repeat(5000),
    '-1',
    '18446744073709551616',
  ),
)

const headers: fc.Arbitrary<Record<string, string>> = fc
  .record(
    {
      'A2A-Version': seldom(pick('1.0'), headerValue, 12),
      'Content-Type': seldom(pick('application/json'), headerValue, 12),
      Accept: seldom(pick('*/*', 'application/json', 'text/event-stream'), headerValue),
      'A2A-Extensions': headerValue,
      'Last-Event-ID': pick('0', '0', '0', '1', '-1', '999999999999999', '1e3', 'x'),
      'Content-Encoding': headerValue,
      'If-None-Match': headerValue,
      'X-Participant-Id': headerValue,
      Authorization: headerValue,
    },
    { requiredKeys: ['A2A-Version', 'Content-Type'] },
  )
  .chain((all) =>
    // Most requests have none but the usual ones, so that they get further than the headers.
    seldom(
      fc.constant({
        'A2A-Version': all['A2A-Version'],
        'Content-Type': all['Content-Type'],
        ...(all['Last-Event-ID'] && { 'Last-Event-ID': all['Last-Event-ID'] }),
      }),
      fc.constant(all),
      12,
    ),
  )

/** The bytes of a body: mostly as they are, else cut, or not UTF-8. */
const body = (text: fc.Arbitrary<string>): fc.Arbitrary<string | Blob> =>
  seldom<string | Blob>(
    text,
    fc.oneof(
      fc.tuple(text, fc.nat()).map(([whole, cut]) => whole.slice(0, cut % (whole.length + 1))),
      text.map((whole) => new Blob([whole, Uint8Array.of(0xff, 0xc0, 0x80)])),
      text.map((whole) => `\ufeff${whole}`),
      pick('', ' ', 'null', '[]', '""', '0', '[{}]', '{"jsonrpc":"2.0"}', 'x'.repeat(1_100_000)),
    ),
    12,
  )

const verb = (usual: string) =>
  seldom(pick(usual), pick('GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'PROPFIND', 'get', '__proto__'), 12)

function toRequest(path: string, method: string, sent: Record<string, string>, content: string | Blob | undefined): HostileRequest {
  const bodiless = method === 'GET' || method === 'HEAD' || method === 'get' || content === undefined
  return { path, init: { method, headers: sent, ...(!bodiless && { body: content }) } }
}

/** Requests of the JSON-RPC binding. */
export function jsonRpcRequests(taskIds: readonly string[]): fc.Arbitrary<HostileRequest> {
  const wellFormed = wireRequests(taskIds)
  // Half of them send a message, and most are spoiled where the envelope is read already.
  const method = fc.oneof(pick('SendMessage', 'SendStreamingMessage'), pick(...Object.keys(wellFormed)))
  const envelope = method.chain((name) =>
    (wellFormed[name] ?? fc.constant({})).chain((params) =>
      seldom(
        spoiled(params).map((tree) => `{"jsonrpc":"2.0","id":1,"method":"${name}","params":${printTree(tree)}}`),
        spoiled({ jsonrpc: '2.0', id: 1, method: name, params }).map(printTree),
      ),
    ),
  )
  const path = seldom(
    pick('/a2a', '/a2a/'),
    pick('/a2a?A2A-Version=%00', '/a2a?tenant=acme&tenant=b', '/a2a?%', '/a2a/?__proto__=1', '/a2a//', '/%61%32%61', '/a2a;x=1'),
    12,
  )
  return fc.tuple(path, verb('POST'), headers, body(envelope)).map((parts) => toRequest(...parts))
}

/** A segment of a path or a part of a query, percent-encoded or not even that. */
const component = (usual: fc.Arbitrary<string>) =>
  seldom(
    usual.map(encodeURIComponent),
    fc.oneof(
      oddString.map((text) => encodeURIComponent(text.slice(0, 3000).replaceAll(/\p{Cs}/gu, '\ufffd'))),
      pick(
        '%',
        '%ff',
        '%00',
        '%2e%2e',
        '..',
        '.',
        '%2F',
        '%c0%80',
        '%ed%a0%80',
        ':cancel',
        'a:b:c',
        '%3Acancel',
        '+',
        '{id}',
        '%25',
        ';',
        "'",
      ),
    ),
    5,
  )

/** Requests of the HTTP+JSON binding. */
export function httpJsonRequests(taskIds: readonly string[]): fc.Arbitrary<HostileRequest> {
  const { SendMessage: send = fc.constant({}), CreateTaskPushNotificationConfig: config = fc.constant({}) } = wireRequests(taskIds)
  const bodies: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    send,
    // Its task is in the path.
    config: config.map((request) => ({ ...Object(request), taskId: '' })),
    cancel: pick({ metadata: {} }),
    none: pick({}),
  }
  const id = component(pick(...taskIds, ...taskIds, 'nope'))
  const tenant = seldom(
    pick(''),
    component(pick('acme')).map((name) => `/${name}`),
  )
  const query = fc
    .array(
      fc.tuple(
        component(
          pick(
            'pageSize',
            'page_size',
            'status',
            'tenant',
            'historyLength',
            'includeArtifacts',
            'statusTimestampAfter',
            'pageToken',
            'contextId',
            'A2A-Version',
            '__proto__',
          ),
        ),
        component(pick('1', '0', 'true', 'acme', 'TASK_STATE_WORKING', '2026-01-01T00:00:00Z', '1.0')),
      ),
      { maxLength: 4 },
    )
    .map((parameters) => `?${parameters.map((pair) => pair.join('=')).join('&')}`)
  const routes = fc.oneof(
    // The verb, the path and the kind of the body.
    pick<[string, string, string]>(
      ['POST', '/message:send', 'send'],
      ['POST', '/message:stream', 'send'],
      ['GET', '/tasks', 'none'],
      ['GET', '/extendedAgentCard', 'none'],
      ['POST', '/nope', 'none'],
    ),
    fc
      .tuple(
        id,
        pick<[string, string, string]>(
          ['GET', '', 'none'],
          ['POST', ':cancel', 'cancel'],
          ['POST', ':subscribe', 'none'],
          ['GET', ':subscribe', 'none'],
          ['POST', '/pushNotificationConfigs', 'config'],
          ['GET', '/pushNotificationConfigs', 'none'],
          ['POST', '/x', 'none'],
        ),
      )
      .map(([task, [method, suffix, content]]): [string, string, string] => [method, `/tasks/${task}${suffix}`, content]),
    fc
      .tuple(id, component(pick('c', 'd')), pick('GET', 'DELETE'))
      .map(([task, config, method]): [string, string, string] => [method, `/tasks/${task}/pushNotificationConfigs/${config}`, 'none']),
  )
  return fc.tuple(routes, tenant, seldom(pick(''), query, 2), headers).chain(([[method, route, content], prefix, parameters, sent]) => {
    const text = (bodies[content] ?? pick({})).chain((request) => spoiled(request).map(printTree))
    return fc.tuple(verb(method), body(text)).map(([used, bytes]) => toRequest(`/a2a${prefix}${route}${parameters}`, used, sent, bytes))
  })
}
