import type { Client } from '@temporalio/client'
import { untilSuccess } from '../until-success.js'

/** How long one attempt may take, so that one which the server has forgotten is followed by another. */
const ATTEMPT_MS = 15_000

/** What `temporal worker deployment set-current-version` does; the version is known once a worker of it has asked for tasks. */
export async function makeCurrent({ connection, options }: Client, deploymentName: string, buildId: string): Promise<void> {
  const request = { namespace: options.namespace, deploymentName, buildId, ignoreMissingTaskQueues: true }
  const set = () => connection.workflowService.setWorkerDeploymentCurrentVersion(request)
  await untilSuccess(() => connection.withDeadline(Date.now() + ATTEMPT_MS, set))
}
