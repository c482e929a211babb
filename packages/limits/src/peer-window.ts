import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'

const WINDOW_SECONDS = 60

/** Counts the requests of each peer in windows of a minute, for so many peers at most. */
export interface PeerWindows {
  /** Whole seconds until the peer may come again, at least 1; undefined if it may now. */
  consume(peer: string): Promise<number | undefined>
}

/** A peer's window starts with its first request. Beyond `maxPeers` the peer that came first is forgotten, and starts anew. */
export function createPeerWindows(ratePerMinute: number, maxPeers: number): PeerWindows {
  const limiter = new RateLimiterMemory({ points: ratePerMinute, duration: WINDOW_SECONDS })
  const peers = new Set<string>()

  async function remember(peer: string): Promise<void> {
    if (peers.has(peer)) return
    peers.add(peer)
    if (peers.size <= maxPeers) return
    const [oldest = peer] = peers
    peers.delete(oldest)
    await limiter.delete(oldest)
  }

  return {
    async consume(peer) {
      await remember(peer)
      try {
        await limiter.consume(peer)
        return undefined
      } catch (rejection) {
        if (!(rejection instanceof RateLimiterRes)) throw rejection
        return Math.max(1, Math.ceil(rejection.msBeforeNext / 1000))
      }
    },
  }
}
