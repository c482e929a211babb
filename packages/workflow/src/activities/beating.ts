import type { Execution } from './execution.js'

/** Heartbeats while the work goes on, so that an Activity which waits for the store is not taken for lost and run beside itself. */
export async function beating<T>({ beat, beatMs }: Execution, work: () => Promise<T>): Promise<T> {
  const pulse = setInterval(beat, beatMs)
  try {
    return await work()
  } finally {
    clearInterval(pulse)
  }
}
