import { DeadlineError } from '../deadline-error.js'

/** Until when a call must have been answered. */
export class Deadline {
  /** On the clock of `performance.now()`. */
  readonly at: number

  constructor(milliseconds: number) {
    this.at = performance.now() + milliseconds
  }

  get left(): number {
    return Math.max(0, this.at - performance.now())
  }

  /** @throws StoreUnavailableError when it is over. */
  assertLeft(): void {
    if (this.left === 0) throw new DeadlineError()
  }

  /** @throws StoreUnavailableError when it is over before `promise` is settled. */
  async wait<T>(promise: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const over = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new DeadlineError()), this.left)
    })
    try {
      return await Promise.race([promise, over])
    } finally {
      clearTimeout(timer)
    }
  }
}
