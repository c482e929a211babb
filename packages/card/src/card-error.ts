/** One thing that is wrong with a card. `field` is a path such as `skills[0].id`, `''` for the card as a whole. */
export interface CardFault {
  readonly field: string
  readonly message: string
  /** Counted from 1; only of a card that was read from a file. */
  readonly line?: number
}

function describeFault({ field, message, line }: CardFault, file: string | undefined): string {
  const place = line === undefined ? file : `${file}:${line}`
  return ['  -', place, field === '' ? undefined : `${field}:`, message].filter((word) => word !== undefined).join(' ')
}

/** An agent card that cannot be served. The message names every fault, with file and line where there is a file. */
export class CardError extends Error {
  override readonly name = 'CardError'
  readonly faults: readonly CardFault[]
  readonly file: string | undefined

  constructor(faults: readonly CardFault[], file?: string, options?: ErrorOptions) {
    super(`The agent card cannot be served:\n${faults.map((fault) => describeFault(fault, file)).join('\n')}`, options)
    this.faults = faults
    this.file = file
  }
}
