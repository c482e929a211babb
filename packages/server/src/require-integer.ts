/** The longest time that a timer takes, in milliseconds. */
const LONGEST = 2_147_483_647

/** @throws TypeError that names the option, unless it is an integer of at least `least` that a timer takes */
export function requireInteger(option: string, value: number, least: number): void {
  if (Number.isInteger(value) && value >= least && value <= LONGEST) return
  throw new TypeError(`${option} must be an integer from ${least} to ${LONGEST}`)
}
