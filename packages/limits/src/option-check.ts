/** @throws {TypeError} naming the field, unless it is an integer of at least `least` */
export function requireInteger(field: string, value: unknown, least: number): void {
  if (Number.isSafeInteger(value) && (value as number) >= least) return
  throw new TypeError(`limits: ${field} must be an integer of at least ${least}`)
}

/** @throws {TypeError} naming the field, unless it is a function */
export function requireFunction(field: string, value: unknown): void {
  if (typeof value === 'function') return
  throw new TypeError(`limits: ${field} must be a function`)
}
