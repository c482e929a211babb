import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** The engine listens here only. */
export const loopback = '127.0.0.1'

/** Whether a loopback port can be listened on at this moment. */
export async function isPortFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen({ host: loopback, port, exclusive: true }, () => server.close(() => resolve(true)))
  })
}

/**
 * A free loopback port, the preferred one where that is free. Chosen below the range that systems take for outgoing connections: there, while the
 * server is being restarted, a reconnecting client could get its port as its own and keep it.
 */
export async function findFreePort(preferred?: number): Promise<number> {
  if (preferred !== undefined && (await isPortFree(preferred))) return preferred
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(20_000, 32_000)
    if (await isPortFree(port)) return port
  }
  throw new Error(`no free port between 20000 and 32000 on ${loopback}`)
}
