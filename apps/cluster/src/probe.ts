/**
 * Whether the URL answers 200 in time. The timer is no `AbortSignal.timeout` within an `AbortSignal.any`: there nothing holds it, and one that is
 * collected never fires, so that a server which has stopped would be waited for without end.
 */
export async function probe(url: string, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
  const within = new AbortController()
  const abort = () => within.abort()
  const timer = setTimeout(abort, timeoutMs)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    const response = await fetch(url, { signal: within.signal })
    await response.body?.cancel()
    return response.status === 200
  } catch {
    return false
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}
