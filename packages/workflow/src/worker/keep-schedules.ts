import { setTimeout as sleep } from 'node:timers/promises'
import { ScheduleAlreadyRunning, ScheduleClient } from '@temporalio/client'
import { openConnection } from '../open-connection.js'
import { namespaceOf } from '../temporal-options.js'
import { isAsWanted, type WantedSchedule, wantedSchedules } from './wanted-schedules.js'
import type { ResolvedWorkerOptions } from './worker-options.js'

const CALL_TIMEOUT_MS = 5000
const FIRST_DELAY_MS = 1000
const LONGEST_DELAY_MS = 300_000

/**
 * Makes the Schedules of the agents, or brings them up to date, as often as it takes or until `signal` is aborted. Tasks run without them, so
 * a failure is told, once, and tried again.
 */
export async function keepSchedules(options: ResolvedWorkerOptions, signal: AbortSignal): Promise<void> {
  const { temporal, logger } = options
  const wanted = wantedSchedules(options)
  if (wanted.length === 0) return
  const connection = openConnection(temporal, [])
  const client = new ScheduleClient({ connection, namespace: namespaceOf(temporal) })
  try {
    for (let delay = FIRST_DELAY_MS; !signal.aborted; delay = Math.min(delay * 2, LONGEST_DELAY_MS)) {
      try {
        return await connection.withAbortSignal(signal, () => makeAll(client, wanted))
      } catch (error) {
        if (signal.aborted) return
        const level = delay === FIRST_DELAY_MS ? 'warn' : 'debug'
        logger[level]({ err: error }, 'the Schedules of retention and heartbeat could not be made; the worker keeps trying')
      }
      await sleep(delay, undefined, { signal }).catch(() => {})
    }
  } finally {
    await connection.close()
  }
}

/** One that cannot be made keeps none of the others from being made, nor makes them wait. @throws what one of those threw */
async function makeAll(client: ScheduleClient, wanted: readonly WantedSchedule[]): Promise<void> {
  const deadline = Date.now() + CALL_TIMEOUT_MS
  const makings = wanted.map((schedule) => client.connection.withDeadline(deadline, () => make(client, schedule)))
  for (const making of await Promise.allSettled(makings)) if (making.status === 'rejected') throw making.reason
}

/** Several workers may do this at once: who is not first finds it made. One that is paused stays so. */
async function make(client: ScheduleClient, wanted: WantedSchedule): Promise<void> {
  const { scheduleId, runsAtOnce, ...settings } = wanted
  try {
    await client.create({ scheduleId, ...settings, state: { triggerImmediately: runsAtOnce } })
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error
    const handle = client.getHandle(scheduleId)
    if (isAsWanted(await handle.describe(), wanted)) return
    await handle.update(({ state: { paused, note, remainingActions } }) => ({
      ...settings,
      state: { paused, ...(note !== undefined && { note }), ...(remainingActions !== undefined && { remainingActions }) },
    }))
  }
}
