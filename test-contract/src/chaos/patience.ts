/** A signal that is aborted by the other one, or once the time is up, which begins anew with `renew`. */
export interface Patience {
  readonly signal: AbortSignal
  renew(): void
  release(): void
}

/** Not `AbortSignal.any` over `AbortSignal.timeout`: nothing holds the latter but a weak reference, and one that is collected never fires. */
export function patience(ms: number, other: AbortSignal): Patience {
  const controller = new AbortController()
  const abort = () => controller.abort(other.aborted ? other.reason : new Error(`Nothing came within ${ms} ms`))
  let timer = setTimeout(abort, ms)
  other.addEventListener('abort', abort, { once: true })
  if (other.aborted) abort()
  return {
    signal: controller.signal,
    renew: () => {
      clearTimeout(timer)
      timer = setTimeout(abort, ms)
    },
    release: () => {
      clearTimeout(timer)
      other.removeEventListener('abort', abort)
    },
  }
}
