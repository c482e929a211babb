/** One thing that is wrong with a set of keys. */
export interface CardKeyFault {
  /** A path such as `keys[0].kid`; `''` for the set as a whole. */
  readonly field: string
  /** What is wrong; what to do. It shows nothing of a key. */
  readonly message: string
}

/** Keys that no card can be signed with. The message names every fault, and nothing of the keys but their names. */
export class CardKeyError extends Error {
  override readonly name = 'CardKeyError'
  readonly faults: readonly CardKeyFault[]

  constructor(faults: readonly CardKeyFault[]) {
    super(
      `The agent card cannot be signed: ${faults.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`)).join(' ')}`,
    )
    this.faults = faults
  }
}
