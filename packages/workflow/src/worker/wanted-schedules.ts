import { isDeepStrictEqual } from 'node:util'
import { type ScheduleDescription, ScheduleOverlapPolicy } from '@temporalio/client'
import { HEARTBEAT_WORKFLOW, heartbeatScheduleId, RETENTION_WORKFLOW, retentionScheduleId, taskQueue } from '../contract/index.js'
import type { ResolvedWorkerOptions } from './worker-options.js'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** A Schedule as it should be. `runsAtOnce`: also when it is made, and not only when its time has come. */
export interface WantedSchedule {
  readonly scheduleId: string
  readonly runsAtOnce: boolean
  readonly spec: { intervals: { every: number }[]; jitter: number }
  readonly policies: { readonly overlap: 'SKIP'; readonly catchupWindow: number }
  readonly action: {
    readonly type: 'startWorkflow'
    readonly workflowType: string
    readonly workflowId: string
    readonly taskQueue: string
    readonly args: readonly unknown[] & unknown[]
  }
}

/** The Schedules of a worker's agents; none where it is not told to see to them. */
export function wantedSchedules({ agents, store, retention }: ResolvedWorkerOptions): readonly WantedSchedule[] {
  if (!retention) return []
  return agents.flatMap(({ id }) => {
    const queue = taskQueue(store.id, id)
    return [
      scheduleOf(retentionScheduleId(store.id, id), queue, RETENTION_WORKFLOW, HOUR_MS, [retention]),
      scheduleOf(heartbeatScheduleId(store.id, id), queue, HEARTBEAT_WORKFLOW, MINUTE_MS, []),
    ]
  })
}

/** What was missed while Temporal was away is not made up for. The jitter keeps the Schedules of many agents apart. */
function scheduleOf(scheduleId: string, queue: string, workflowType: string, everyMs: number, args: unknown[]): WantedSchedule {
  return {
    scheduleId,
    runsAtOnce: workflowType === HEARTBEAT_WORKFLOW,
    spec: { intervals: [{ every: everyMs }], jitter: everyMs / 10 },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: MINUTE_MS },
    action: { type: 'startWorkflow', workflowType, workflowId: scheduleId, taskQueue: queue, args },
  }
}

/** Whether a Schedule is as it should be; what people change of its state, as by a pause, is theirs. */
export function isAsWanted({ spec, policies, action }: ScheduleDescription, wanted: WantedSchedule): boolean {
  const found = {
    every: spec.intervals?.map(({ every }) => every),
    others: [spec.calendars, spec.skip, spec.startAt, spec.endAt].flat().filter((entry) => entry !== undefined),
    jitter: spec.jitter,
    overlap: policies.overlap,
    catchupWindow: policies.catchupWindow,
    action: { type: action.type, workflowType: action.workflowType, workflowId: action.workflowId, taskQueue: action.taskQueue },
    args: action.args ?? [],
  }
  const { args, ...wantedAction } = wanted.action
  return isDeepStrictEqual(found, {
    every: wanted.spec.intervals.map(({ every }) => every),
    others: [],
    jitter: wanted.spec.jitter,
    ...wanted.policies,
    action: wantedAction,
    args,
  })
}
