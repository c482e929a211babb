/** The longest that timers, and Postgres, can wait. */
const LONGEST = 2 ** 31 - 1

/** @throws TypeError that names the option which is no whole number of milliseconds, or one that nothing can wait. */
export function assertMilliseconds(name: string, value: number, least: 0 | 1): void {
  if (Number.isInteger(value) && value >= least && value <= LONGEST) return
  throw new TypeError(`${name} must be a whole number of milliseconds from ${least} to ${LONGEST}, not ${value}`)
}
