import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { serve } from '../node/serve.js'
import { startTestServer } from '../testing/test-server.js'

const rpc = '{"jsonrpc":"2.0","id":1,"method":"GetTask","params":{"id":"x"}}'
const JSON_1_0 = 'A2A-Version: 1.0\r\nContent-Type: application/json\r\n'
const post = (head: string, body = '', path = '/a2a') =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${JSON_1_0}${head}\r\n${body}`
const get = (path: string, head = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${JSON_1_0}${head}\r\n`
const NUL = String.fromCharCode(0)

/** What no Request can be made of, byte for byte; with the status that it gets. */
const RAW: readonly (readonly [string, string, number])[] = [
  ['a path beyond the root', get('/a2a/../../../etc/passwd'), 404],
  ['a path that is encoded twice', get('/a2a/tasks/%252e%252e%252fx'), 404],
  ['a path with a NUL', get('/a2a/tasks/%00'), 400],
  ['a path of two slashes', get('//a2a/tasks'), 404],
  ['a path with a backslash', get('/a2a\\tasks'), 400],
  ['a path with bytes of no encoding', get('/a2a/tasks/\xff\xfe'), 400],
  ['an absolute address', get('http://elsewhere.test/a2a/tasks'), 200],
  ['no address', get('*'), 400],
  ['a host that is none', 'GET /a2a/tasks HTTP/1.1\r\nHost: [::\r\nConnection: close\r\n\r\n', 400],
  ['a host with a path', 'GET /a2a/tasks HTTP/1.1\r\nHost: a/b?c\r\nConnection: close\r\n\r\n', 400],
  ['no host', 'GET /a2a/tasks HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ['an old version of HTTP', `GET /a2a/tasks HTTP/1.0\r\n${JSON_1_0}\r\n`, 200],
  ['a header with a NUL', get('/a2a/tasks', `X-A: a${NUL}b\r\n`), 400],
  ['a header that is no header', get('/a2a/tasks', 'nonsense\r\n'), 400],
  ['headers without end', get('/a2a/tasks', `X-A: ${'x'.repeat(100_000)}\r\n`), 431],
  ['a header in bytes of no encoding', get('/a2a/tasks', 'A2A-Extensions: \xff\xfe\r\n'), 400],
  ['two lengths', post('Content-Length: 5\r\nContent-Length: 6\r\n', 'xxxxxx'), 400],
  ['a length below nothing', post('Content-Length: -1\r\n'), 400],
  ['a length beside chunks', post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'), 400],
  ['chunks of no size', post('Transfer-Encoding: chunked\r\n', 'zz\r\nxx\r\n'), 400],
  ['chunks', post('Transfer-Encoding: chunked\r\n', `${rpc.length.toString(16)}\r\n${rpc}\r\n0\r\n\r\n`), 200],
  ['a body that is announced', post(`Expect: 100-continue\r\nContent-Length: ${rpc.length}\r\n`, rpc), 100],
  ['an expectation that nobody has', post(`Expect: a miracle\r\nContent-Length: ${rpc.length}\r\n`, rpc), 417],
  ['a body to GET', `${get('/a2a/tasks', 'Content-Length: 2\r\n')}{}`, 200],
  ['a verb that is none', 'G\u0001T /a2a/tasks HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  ['a verb in small letters', 'get /a2a/tasks HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  ['a tunnel', 'CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n', 0],
  ['another protocol', 'GET /a2a/tasks HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n', 400],
  ['TLS', '\u0016\u0003\u0001\u0002\u0000', 400],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
]

describe('over a socket', () => {
  test.each(RAW)('%s is answered, or the connection is closed', async (_, bytes, status) => {
    const server = await startTestServer()
    const serving = await serve(server.harness, { port: 0 })
    const socket = connect(Number(new URL(serving.url).port), '127.0.0.1')
    let answer = ''
    socket.on('data', (data) => {
      answer += data.toString('latin1')
    })
    socket.on('error', () => {})
    socket.write(bytes, 'latin1')
    await once(socket, 'close')
    await serving.close()
    expect([Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0), answer]).toEqual([
      status,
      expect.not.stringMatching(/ 5\d\d |node_modules|\bat .*\.[jt]s/),
    ])
    expect(server.logged).toEqual([])
  })
})
