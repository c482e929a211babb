import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow'
import type { UpkeepActivities } from '../contract/activities.js'
import type { RetentionInput } from '../contract/index.js'

const { remove_expired } = proxyActivities<Pick<UpkeepActivities, 'remove_expired'>>({
  startToCloseTimeout: 120_000,
  retry: { initialInterval: 1000, backoffCoefficient: 2, maximumInterval: 60_000 },
})

/** Removes what has expired of an agent, until nothing is left. A Schedule starts it each hour. */
export async function retentionWorkflow(input: RetentionInput): Promise<void> {
  for (;;) {
    const { more } = await remove_expired(input)
    if (!more) return
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof retentionWorkflow>(input)
  }
}
