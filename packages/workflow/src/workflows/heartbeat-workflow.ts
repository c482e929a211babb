import { proxyActivities } from '@temporalio/workflow'
import type { UpkeepActivities } from '../contract/activities.js'

const { record_heartbeat } = proxyActivities<Pick<UpkeepActivities, 'record_heartbeat'>>({
  startToCloseTimeout: 30_000,
  // The next heartbeat is as good as this one.
  retry: { maximumAttempts: 3 },
})

/** Records how an agent is. A Schedule starts it each minute. */
export async function heartbeatWorkflow(): Promise<void> {
  await record_heartbeat()
}
