import type { IncomingMessage } from 'node:http'

/** What has come of a body. */
export interface GatheredBody {
  readonly bytes: Buffer
  /** Whether that is all of it. */
  readonly isWhole: boolean
}

/**
 * Reads a body to its end, or until that many bytes have come; the rest can still be read. A body that is sent in one piece leaves the answer of a
 * server that does not read it all to be read; piece by piece, the connection would be lost with the answer in it.
 * @throws where the client goes away
 */
export async function gatherBody(request: IncomingMessage, maxBytes: number): Promise<GatheredBody> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of request.iterator({ destroyOnReturn: false })) {
    pieces.push(piece as Buffer)
    size += (piece as Buffer).length
    if (size >= maxBytes) return { bytes: Buffer.concat(pieces), isWhole: false }
  }
  return { bytes: Buffer.concat(pieces), isWhole: true }
}
