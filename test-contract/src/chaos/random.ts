const GOLDEN = 0x6d2b79f5

/** Numbers that one seed decides (mulberry32): the same seed, the same numbers, on every machine. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 up to, and without, 1. */
  next(): number {
    this.#state = (this.#state + GOLDEN) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** A whole number; both ends are possible. */
  integer(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1))
  }

  pick<T>(choices: readonly T[]): T {
    const choice = choices[this.integer(0, choices.length - 1)]
    if (choice === undefined) throw new RangeError('There is nothing to pick from')
    return choice
  }

  shuffled<T>(items: readonly T[]): readonly T[] {
    const left = [...items]
    return items.flatMap(() => left.splice(this.integer(0, left.length - 1), 1))
  }
}
