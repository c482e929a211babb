/** One thing that is wrong with a card. */
export interface CardFault {
  /** A path such as `skills[0].id`; `''` for the card as a whole. */
  readonly field: string
  /** What is wrong; what to do. */
  readonly message: string
  /** Counted from 1, as `column` is; only of a card that was read from a file. */
  readonly line?: number
  readonly column?: number
}

function describeFault({ field, message, line, column }: CardFault, file: string | undefined): string {
  const place = [file, line, column].filter((part) => part !== undefined).join(':')
  const subject = [place, field].filter((part) => part !== '').join(' ')
  return subject === '' ? `  - ${message}` : `  - ${subject}: ${message}`
}

/** An agent card that cannot be served. The message names every fault, a line each: `file:line:column field: what is wrong; what to do`. */
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
