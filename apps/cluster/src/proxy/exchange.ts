import { type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream'
import type { GatheredBody } from './gather-body.js'
import { passedHeaders } from './passed-headers.js'

/**
 * Passes one request and its response over the connection, each piece as it comes. Resolves with whether there was a response; from its head on,
 * the client's connection ends early where the upstream's does, and the other way round at any time.
 */
export function exchange(
  request: IncomingMessage,
  body: GatheredBody,
  response: ServerResponse,
  socket: Socket,
): Promise<'answered' | 'lost'> {
  return new Promise((resolve) => {
    const outgoing = openRequest({
      method: request.method,
      path: request.url,
      headers: { ...passedHeaders(request.headersDistinct), ...framing(request) },
      setHost: false,
      createConnection: () => socket,
    })
    const leave = () => outgoing.destroy()
    response.once('close', leave)
    outgoing.once('response', (incoming) => {
      resolve('answered')
      passBack(incoming, response)
    })
    outgoing.once('close', () => {
      response.off('close', leave)
      // What still comes of a body that nobody reads would halt the client's connection.
      request.unpipe(outgoing)
      request.resume()
      resolve('lost')
    })
    // Its end tells what there is to tell.
    outgoing.on('error', () => undefined)
    if (body.bytes.length > 0) outgoing.write(body.bytes)
    // Not `pipeline`: an upstream may answer before it has read the whole body, and then the request must not be destroyed.
    if (body.isWhole) outgoing.end()
    else request.pipe(outgoing)
  })
}

/** A body of unknown length keeps its framing, with every method. */
function framing({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return headers['transfer-encoding'] === undefined ? {} : { 'transfer-encoding': 'chunked' }
}

function passBack(incoming: IncomingMessage, response: ServerResponse): void {
  response.writeHead(incoming.statusCode ?? 502, incoming.statusMessage, passedHeaders(incoming.headersDistinct))
  // The first event of a stream may be long in coming.
  response.flushHeaders()
  pipeline(incoming, response, () => undefined)
}
