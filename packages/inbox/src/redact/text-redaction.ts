import { findSecrets, markSpans } from './find-secrets.js'
import { SHAPES } from './shapes.js'

/** How far back of what was given out a secret, or the name before it, may begin. */
const CONTEXT = 256
/** How much is held back at most, and how far from the end a secret is looked for that may go on: no key is longer. */
const LONGEST_HELD = 16 * 1024
/** From so many characters on, the end of a text may be the beginning of a configured secret. */
const SHORTEST_BEGINNING = 3

/** What a text that comes in pieces needs to know of the secrets that an operator configured. */
export interface ConfiguredSecrets {
  readonly forms: readonly string[]
  readonly pattern: RegExp | undefined
}

/**
 * Redacts a text that comes in pieces. A piece is given out at once and as it is, unless it ends in what may be a secret that goes on: that is held back
 * until the next pieces decide.
 */
export class TextRedaction {
  readonly #configured: ConfiguredSecrets
  readonly #context: number
  #given = ''
  #held = ''

  constructor(configured: ConfiguredSecrets) {
    this.#configured = configured
    this.#context = Math.max(CONTEXT, ...configured.forms.map((form) => form.length))
  }

  /** Whether something is held back. */
  get holds(): boolean {
    return this.#held !== ''
  }

  /** Takes a piece, and gives out what is decided. */
  push(text: string): string {
    const whole = this.#given + this.#held + text
    const from = this.#given.length
    const open = holdFrom(whole, this.#configured.forms)
    const to = Math.max(from, open)
    return this.#give(whole, { from, to: whole.length - to > LONGEST_HELD ? whole.length : to, open })
  }

  /** Gives out what was held back, since the text goes on later, if at all. */
  flush(): string {
    const whole = this.#given + this.#held
    return this.#give(whole, { from: this.#given.length, to: whole.length, open: holdFrom(whole, this.#configured.forms) })
  }

  /** A secret that was given out as a mark before its end, such as a long key, is one only together with its beginning, `open`: that stays known. */
  #give(whole: string, { from, to, open }: { readonly from: number; readonly to: number; readonly open: number }): string {
    this.#given = whole.slice(Math.max(0, Math.min(open, to) - this.#context), to)
    this.#held = whole.slice(to)
    return markSpans(whole, findSecrets(whole, this.#configured.pattern), from, to)
  }
}

/** Where the secret begins that a text may end in; its length where it ends in none. */
function holdFrom(whole: string, forms: readonly string[]): number {
  const start = Math.max(0, whole.length - LONGEST_HELD)
  const end = whole.slice(start)
  const shapes = SHAPES.map(({ open }) => start + (open.exec(end)?.indices?.groups?.['secret']?.[0] ?? end.length))
  return Math.min(whole.length, ...shapes, ...forms.map((form) => beginningOf(form, whole)))
}

function beginningOf(form: string, whole: string): number {
  const beginning = form.slice(0, SHORTEST_BEGINNING)
  for (let at = whole.indexOf(beginning, Math.max(0, whole.length - form.length + 1)); at !== -1; at = whole.indexOf(beginning, at + 1)) {
    if (form.startsWith(whole.slice(at))) return at
  }
  return whole.length
}
