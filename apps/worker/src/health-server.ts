import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describePortError, localUrl } from '@moorage/bootstrap'
import type { TaskStore } from '@moorage/store'
import type { TaskWorker } from '@moorage/workflow/worker'

export interface HealthOptions {
  readonly host: string
  readonly port: number
  readonly store: Pick<TaskStore, 'check'>
  readonly worker: Pick<TaskWorker, 'status'>
  /** Whether the process is ending. */
  readonly isDraining: () => boolean
}

/** A server that says how this process is. */
export interface HealthServer {
  /** Where this machine reaches it. */
  readonly url: string
  close(): Promise<void>
}

/**
 * Answers `/healthz` with 200 while the process lives, and `/readyz` with 200 while tasks run here: with 503 and names where Temporal or the store
 * does not answer, or the process is ending.
 * @throws PortError where the port cannot be had
 */
export async function startHealthServer(options: HealthOptions): Promise<HealthServer> {
  const server = createServer((request, response) => {
    void answer(request.url?.split('?')[0] ?? '', options, response)
  })
  const { host, port } = options
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw await describePortError(error, host, port, 'MOORAGE_HEALTH_PORT')
  }
  return { url: localUrl(host, (server.address() as AddressInfo).port), close: () => close(server) }
}

async function answer(path: string, options: HealthOptions, response: ServerResponse): Promise<void> {
  if (path === '/healthz') return send(response, 200, { status: 'ok' })
  if (path !== '/readyz') return send(response, 404, { status: 'no such route' })
  const unavailable = await findUnavailable(options)
  return unavailable.length === 0 ? send(response, 200, { status: 'ok' }) : send(response, 503, { status: 'unavailable', unavailable })
}

async function findUnavailable({ store, worker, isDraining }: HealthOptions): Promise<readonly string[]> {
  if (isDraining()) return ['draining']
  const storeAnswers = await store.check().then(
    () => true,
    () => false,
  )
  return [...(worker.status().connected ? [] : ['temporal']), ...(storeAnswers ? [] : ['store'])]
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(JSON.stringify(body))
}

async function close(server: Server): Promise<void> {
  server.close()
  server.closeAllConnections()
  await once(server, 'close').catch(() => undefined)
}
