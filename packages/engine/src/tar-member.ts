import { basename } from 'node:path'

const blockBytes = 512

type Write = (chunk: Uint8Array) => Promise<unknown>

/**
 * Reads a tar stream to its end and passes on the content of the regular file with that base name; false where the archive has none.
 * @throws Error where the stream is no tar archive or ends inside an entry.
 */
export async function readTarMember(source: AsyncIterable<Uint8Array>, member: string, write: Write): Promise<boolean> {
  const next = pieces(source)
  let found = false
  for (;;) {
    const block = await readBlock(next)
    if (block === undefined) return found
    const entry = parseHeader(block)
    if (entry === undefined) continue
    const wanted = entry.regular && basename(entry.name) === member
    found ||= wanted
    await copy(next, entry.bytes, wanted ? write : undefined)
    await copy(next, (blockBytes - (entry.bytes % blockBytes)) % blockBytes, undefined)
  }
}

/** A function that returns the stream's next bytes, at most as many as asked for; none at its end. */
function pieces(source: AsyncIterable<Uint8Array>): (most: number) => Promise<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]()
  let rest: Uint8Array = new Uint8Array(0)
  return async (most) => {
    while (rest.length === 0) {
      const { done, value } = await iterator.next()
      if (done === true) break
      rest = value
    }
    const piece = rest.subarray(0, most)
    rest = rest.subarray(piece.length)
    return piece
  }
}

async function readBlock(next: (most: number) => Promise<Uint8Array>): Promise<Buffer | undefined> {
  const parts: Uint8Array[] = []
  for (let missing = blockBytes; missing > 0; ) {
    const piece = await next(missing)
    if (piece.length === 0 && parts.length === 0) return undefined
    if (piece.length === 0) throw new Error('the archive ends inside an entry')
    parts.push(piece)
    missing -= piece.length
  }
  return Buffer.concat(parts)
}

async function copy(next: (most: number) => Promise<Uint8Array>, bytes: number, write: Write | undefined): Promise<void> {
  for (let missing = bytes; missing > 0; ) {
    const piece = await next(missing)
    if (piece.length === 0) throw new Error('the archive ends inside an entry')
    await write?.(piece)
    missing -= piece.length
  }
}

interface Entry {
  readonly name: string
  readonly bytes: number
  readonly regular: boolean
}

/** An entry's header; undefined for the empty blocks at the end. */
function parseHeader(block: Buffer): Entry | undefined {
  if (block.every((byte) => byte === 0)) return undefined
  const bytes = Number.parseInt(text(block, 124, 12), 8)
  if (text(block, 257, 5) !== 'ustar' || !Number.isSafeInteger(bytes)) throw new Error('the content is no tar archive')
  const type = text(block, 156, 1)
  return { name: text(block, 0, 100), bytes, regular: type === '0' || type === '' }
}

function text(block: Buffer, start: number, length: number): string {
  return block.toString('latin1', start, start + length).split('\0')[0] ?? ''
}
