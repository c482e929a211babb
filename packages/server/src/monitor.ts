import type { TaskStore } from '@moorage/store'
import { Refusal } from './errors.js'
import { health } from './readiness.js'

export interface MonitorOptions {
  readonly store: Pick<TaskStore, 'readHeartbeat'>
  /** The id of the agent. */
  readonly agent: string
}

/** Answers `/_monitor` with the agent's last heartbeat, without the host of its worker: without authentication anybody reads it. @throws Refusal where there has been none yet */
export async function monitor({ store, agent }: MonitorOptions): Promise<Response> {
  const heartbeat = await store.readHeartbeat(agent)
  if (heartbeat !== undefined) {
    const { identity: _, ...worker } = heartbeat.worker
    return health(200, { ...heartbeat, worker })
  }
  throw new Refusal('MethodNotFound', {
    message: `The agent ${agent} has no heartbeat yet: a worker that runs it records one each minute (in code: createWorker with retention)`,
  })
}
