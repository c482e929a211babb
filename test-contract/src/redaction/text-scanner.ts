/**
 * Says whether bytes have any of many texts (Wu and Manber): a run leaves a gigabyte behind, and one search for each text would take a minute.
 */
export class TextScanner {
  readonly #texts: readonly Buffer[]
  readonly #shortest: number
  /** How far two bytes may be skipped, since no text has them nearer to its beginning's end. */
  readonly #skips: Uint8Array

  constructor(texts: readonly string[]) {
    this.#texts = texts.map((text) => Buffer.from(text))
    this.#shortest = Math.min(...this.#texts.map(({ length }) => length))
    this.#skips = new Uint8Array(0x1_00_00).fill(this.#shortest - 1)
    for (const text of this.#texts) {
      for (let at = 0; at < this.#shortest - 1; at++) {
        const pair = text.readUInt16BE(at)
        this.#skips[pair] = Math.min(this.#skips[pair] ?? 0, this.#shortest - 2 - at)
      }
    }
  }

  isIn(bytes: Buffer): boolean {
    let at = this.#shortest - 2
    while (at + 1 < bytes.length) {
      const skip = this.#skips[((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)] ?? 0
      if (skip === 0 && this.#beginsAt(bytes, at + 2 - this.#shortest)) return true
      at += Math.max(1, skip)
    }
    return false
  }

  #beginsAt(bytes: Buffer, start: number): boolean {
    return this.#texts.some((text) => text[0] === bytes[start] && bytes.subarray(start, start + text.length).equals(text))
  }
}
