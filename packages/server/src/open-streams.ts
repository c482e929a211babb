import { Refusal } from './errors.js'

/** When to come again where there are too many streams, in seconds: nobody knows when one ends. */
const RETRY_SECONDS = 5

export interface OpenStreamsOptions {
  /** How many streams one peer may have open. */
  readonly perPeer: number
  /** How many there may be in all. */
  readonly inAll: number
}

/** The streams that are open in this process, by peer. */
export interface OpenStreams {
  /**
   * Counts a stream until its signal is aborted.
   * @throws Refusal where the peer has too many, or there are too many in all
   */
  begin(peer: string, signal: AbortSignal): void
}

export function createOpenStreams({ perPeer, inAll }: OpenStreamsOptions): OpenStreams {
  const peers = new Map<string, number>()
  let all = 0

  function add(peer: string, count: 1 | -1): void {
    const open = (peers.get(peer) ?? 0) + count
    if (open === 0) peers.delete(peer)
    else peers.set(peer, open)
    all += count
  }

  return {
    begin(peer, signal) {
      if (signal.aborted) return
      if ((peers.get(peer) ?? 0) >= perPeer) {
        throw new Refusal('TooFast', { message: `Too many open streams: have at most ${perPeer}`, retryAfterSeconds: RETRY_SECONDS })
      }
      if (all >= inAll) {
        throw new Refusal('Unavailable', { message: 'Service unavailable: too many open streams', retryAfterSeconds: RETRY_SECONDS })
      }
      add(peer, 1)
      signal.addEventListener('abort', () => add(peer, -1), { once: true })
    },
  }
}
