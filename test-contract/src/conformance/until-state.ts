import { until } from '../until.js'
import type { WireTask } from './messages.js'
import type { WireClient } from './wire/wire-client.js'

/** The task as soon as it is in the state. */
export function untilState(client: WireClient, id: string, state: string): Promise<WireTask> {
  return until(async () => {
    const task = await client.result<WireTask>('GetTask', { id })
    return task.status.state === state && task
  })
}
