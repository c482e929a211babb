import { inspect } from 'node:util'

/** A text that no log and no message shows by accident. */
export class SecretText {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  /** The text itself, for whoever has to use it. */
  reveal(): string {
    return this.#text
  }

  toJSON(): string {
    return '[redacted]'
  }

  toString(): string {
    return '[redacted]'
  }

  [inspect.custom](): string {
    return '[redacted]'
  }
}
