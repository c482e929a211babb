/** Those who ask for the same before anybody has begun to read it get one answer: many clients of one task ask for it at the same moments. */
export class SharedReads<T> {
  readonly #waiting = new Map<string, Promise<T>>()

  /** `read` calls `begin` before it sees anything: whoever asks from then on, begins another read. */
  run(key: string, read: (begin: () => void) => Promise<T>): Promise<T> {
    const waiting = this.#waiting.get(key)
    if (waiting) return waiting
    const begin = (): void => {
      if (this.#waiting.get(key) === reading) this.#waiting.delete(key)
    }
    const reading: Promise<T> = Promise.resolve()
      .then(() => read(begin))
      .finally(begin)
    this.#waiting.set(key, reading)
    return reading
  }
}
