import { RESTART_SECONDS, Refusal } from './errors.js'

/** A signal with an end of its own: `close` aborts it, for a reason where there is one to tell, and lets go of its parent. */
export interface Scope {
  readonly signal: AbortSignal
  readonly close: (reason?: EndReason) => void
}

/** Why a wait ends whose client is still there: the server stops. */
export const DRAINING = 'draining'
/** Why a stream ends whose client is still there: it takes too little of what comes. */
export const TOO_SLOW = 'too slow'
export type EndReason = typeof DRAINING | typeof TOO_SLOW

/**
 * A signal that is aborted with its parent, or after `timeoutMs` (0: never). Unlike `AbortSignal.any` it leaves nothing on a parent that
 * outlives it. `onClose` is called once, unless the parent was aborted from the start.
 */
export function openScope(parent: AbortSignal, timeoutMs = 0, onClose: () => void = () => {}): Scope {
  const controller = new AbortController()
  if (parent.aborted) controller.abort()
  const timer = timeoutMs > 0 && !parent.aborted ? setTimeout(close, timeoutMs) : undefined
  const follow = () => close()
  function close(reason?: EndReason): void {
    if (controller.signal.aborted) return
    clearTimeout(timer)
    parent.removeEventListener('abort', follow)
    controller.abort(reason)
    onClose()
  }
  if (!parent.aborted) parent.addEventListener('abort', follow)
  return { signal: controller.signal, close }
}

/** The requests that are being served. */
export interface OpenRequests {
  /**
   * Counts a request until its scope is closed: when it is answered, or its client has gone.
   * @throws Refusal after `closeAll`: it came before, but nothing would end its wait
   */
  open(signal: AbortSignal): Scope
  /** Ends every wait and every stream, and lets none begin. */
  closeAll(): void
}

export function createOpenRequests(): OpenRequests {
  const scopes = new Set<Scope>()
  let closed = false
  return {
    open(signal) {
      if (closed) throw new Refusal('Unavailable', { message: 'Service unavailable: stopping', retryAfterSeconds: RESTART_SECONDS })
      const scope = openScope(signal, 0, () => scopes.delete(scope))
      if (!scope.signal.aborted) scopes.add(scope)
      return scope
    },
    closeAll() {
      closed = true
      for (const scope of [...scopes]) scope.close(DRAINING)
    },
  }
}
