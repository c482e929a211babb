/** @throws TypeError that names the option, unless it is an integer of at least `least` */
export function requireInteger(option: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least) throw new TypeError(`${option} must be an integer of at least ${least}`)
}
