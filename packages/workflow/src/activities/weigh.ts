import type { PartJson } from '@moorage/protocol'
import type { TurnWrite } from '@moorage/store'

/** What a write costs the store whatever it says: or very many small ones would make a transaction that no deadline lets end. */
const WRITE_BYTES = 128

/** About how many bytes a write takes; no more exact than batches need. */
export function weigh(write: TurnWrite): number {
  const parts = write.kind === 'artifact' ? write.parts : write.message.parts
  return parts.reduce((bytes, part) => bytes + weighPart(part), WRITE_BYTES)
}

/** About how many characters a part has, with its file name and metadata. */
export function weighPart(part: PartJson): number {
  const { filename = '', metadata } = part
  return weighContent(part) + filename.length + (metadata === undefined ? 0 : JSON.stringify(metadata).length)
}

function weighContent(part: PartJson): number {
  if ('text' in part) return part.text.length
  if ('raw' in part) return part.raw.length
  if ('url' in part) return part.url.length
  return JSON.stringify(part.data).length
}
