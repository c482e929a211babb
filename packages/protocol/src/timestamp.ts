import { z } from 'zod'
import type { WireSchema } from './proto-json.js'

const TIMESTAMP = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|([+-])(\d\d):?(\d\d))$/i

/** Milliseconds of the offset from UTC; undefined where it is none that a clock can have. */
function offsetMs(sign: string | undefined, hours: string | undefined, minutes: string | undefined): number | undefined {
  if (sign === undefined) return 0
  const [h, m] = [Number(hours), Number(minutes)]
  if (h > 23 || m > 59) return undefined
  return (sign === '-' ? -1 : 1) * (h * 60 + m) * 60_000
}

/** Epoch milliseconds of an ISO 8601 timestamp with `Z` or an offset, rounded up; undefined where it names no moment. */
function parseTimestamp(text: string): number | undefined {
  const match = TIMESTAMP.exec(text)
  if (match === null) return undefined
  const [, wallClock = '', fraction = '', , sign, hours, minutes] = match
  const local = Date.parse(`${wallClock.toUpperCase()}Z`)
  const offset = offsetMs(sign, hours, minutes)
  // A date that no calendar has (30 February) is moved on by Date.parse, and then reads differently.
  if (offset === undefined || Number.isNaN(local) || !new Date(local).toISOString().startsWith(wallClock.toUpperCase())) return undefined
  return local + Math.ceil(Number(`0.${fraction}`) * 1000) - offset
}

/** A google.protobuf.Timestamp with any offset; comes out as epoch milliseconds, rounded up, so that "at or after" stays true. */
export const timestamp: WireSchema<number> = z
  .unknown()
  .transform((input, context) => {
    const moment = typeof input === 'string' ? parseTimestamp(input) : undefined
    if (moment !== undefined) return moment
    context.addIssue({ code: 'custom', message: 'Give a timestamp such as 2026-01-31T12:00:00Z, with Z or an offset.' })
    return z.NEVER
  })
  .meta({ type: 'string', format: 'date-time' })
