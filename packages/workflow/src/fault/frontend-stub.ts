/**
 * What no Temporal server at hand can show: other versions, refused credentials.
 * @module
 */
import { createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import proto from '@temporalio/proto'
import { onTestFinished } from 'vitest'

const { GetSystemInfoResponse } = proto.temporal.api.workflowservice.v1

export interface FrontendStub {
  readonly version?: string
  /** The gRPC status of every call. @default 0 */
  readonly status?: number
}

/** Answers every call of gRPC; stops after the test. Returns its address. */
export async function startFrontendStub({ version = '1.29.1', status = 0 }: FrontendStub): Promise<string> {
  const server = createServer()
  const info = Buffer.from(GetSystemInfoResponse.encode({ serverVersion: version }).finish())
  server.on('stream', (stream, headers) => {
    if (status !== 0) stream.respond({ ...HEADERS, 'grpc-status': status }, { endStream: true })
    else answer(stream, headers[':path']?.endsWith('/GetSystemInfo') ? info : Buffer.alloc(0))
  })
  return listen(server)
}

const HEADERS = { ':status': 200, 'content-type': 'application/grpc' } as const

/** A message of gRPC: a flag and its length in five bytes, then the message. */
function answer(stream: ServerHttp2Stream, message: Buffer): void {
  stream.respond(HEADERS, { waitForTrailers: true })
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': 0 }))
  const prefix = Buffer.alloc(5)
  prefix.writeUInt32BE(message.length, 1)
  stream.end(Buffer.concat([prefix, message]))
}

async function listen(server: Http2Server): Promise<string> {
  const sessions = new Set<{ destroy(): void }>()
  server.on('session', (session) => void sessions.add(session))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const session of sessions) session.destroy()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}
