import { connect } from 'node:http2'
import { setTimeout as delay } from 'node:timers/promises'
import { loopback } from './free-port.js'

/** What `temporal operator cluster health` asks for, too. */
const service = 'temporal.api.workflowservice.v1.WorkflowService'

/** Whether the server on that loopback port says SERVING to gRPC's health check within a second. */
export async function isServing(port: number): Promise<boolean> {
  // HealthCheckRequest { string service = 1 }, in gRPC's frame: not compressed, four bytes of length.
  const message = Buffer.concat([Buffer.from([0x0a, service.length]), Buffer.from(service)])
  const frame = Buffer.concat([Buffer.from([0, 0, 0, 0, message.length]), message])
  const session = connect(`http://${loopback}:${port}`)
  try {
    return await new Promise<boolean>((resolve) => {
      session.on('error', () => resolve(false)).on('close', () => resolve(false))
      session.setTimeout(1_000, () => resolve(false))
      const request = session.request({
        ':method': 'POST',
        ':path': '/grpc.health.v1.Health/Check',
        'content-type': 'application/grpc',
        te: 'trailers',
      })
      const parts: Buffer[] = []
      request.on('error', () => resolve(false))
      request.on('data', (part: Buffer) => parts.push(part))
      // HealthCheckResponse { ServingStatus status = 1 } with SERVING = 1.
      request.on('end', () =>
        resolve(
          Buffer.concat(parts)
            .subarray(5)
            .equals(Buffer.from([0x08, 0x01])),
        ),
      )
      request.end(frame)
    })
  } finally {
    session.destroy()
  }
}

/** Waits until the server on that port serves; false where the signal or the time ends that. */
export async function waitUntilServing(port: number, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (!signal.aborted && performance.now() < deadline) {
    if (await isServing(port)) return !signal.aborted
    await delay(20)
  }
  return false
}
