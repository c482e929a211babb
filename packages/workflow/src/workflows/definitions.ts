import type { Waiting } from '@moorage/store'
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow'
import { DELIVER, type Delivery, MONITOR } from '../contract/index.js'

/** The wake: an Update, because its answer tells the waker that a worker is there. */
export const deliverUpdate = defineUpdate<void, [Delivery]>(DELIVER)

/** The same wake where no worker answers: a Signal is durable without one. */
export const deliverSignal = defineSignal<[Delivery]>(DELIVER)

/** What the run knows, for Temporal's own UI. No read of a client depends on it. */
export interface Monitor {
  readonly unhandled: readonly Waiting[]
  readonly running: readonly string[]
}

export const monitorQuery = defineQuery<Monitor>(MONITOR)
