import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

export const LOOPBACK = '127.0.0.1'

/** Whether a loopback port can be listened on at this moment. */
export function isPortFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen({ host: LOOPBACK, port, exclusive: true }, () => server.close(() => resolve(true)))
  })
}

/** Below the range that systems take for outgoing connections: there, a client that reconnects to a stopped server could get its port. */
export async function findFreePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(20_000, 32_000)
    if (await isPortFree(port)) return port
  }
  throw new Error(`No port between 20000 and 32000 of ${LOOPBACK} is free.`)
}
