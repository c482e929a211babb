import type { HeartbeatWorker } from '@moorage/store'
import { Context } from '@temporalio/activity'
import type { UpkeepActivities } from '../contract/activities.js'
import { pinned } from './failures.js'
import { type RemovalPorts, removeExpired } from './remove-expired.js'

export interface UpkeepPorts extends RemovalPorts {
  /** The process, at this moment. */
  readonly describeWorker: () => HeartbeatWorker
}

/** The Activities of one agent as a whole. */
export function createUpkeep({ describeWorker, ...ports }: UpkeepPorts): UpkeepActivities {
  const { store, agent, logger } = ports
  return {
    remove_expired: (input) => pinned(logger, { agent: agent.id }, () => removeExpired(ports, input, Context.current().cancellationSignal)),
    record_heartbeat: () => pinned(logger, { agent: agent.id }, () => store.recordHeartbeat(agent.id, describeWorker())),
  }
}
