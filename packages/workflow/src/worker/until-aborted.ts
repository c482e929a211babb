/** What `work` comes to, or undefined as soon as `signal` is aborted. */
export async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T | undefined> {
  let stop = (): void => {}
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return signal.aborted ? undefined : await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
