import type { PartJson } from '@moorage/protocol'

/** What an agent says: a text, one part, or several parts. */
export type Content = string | PartJson | readonly PartJson[]

/** The parts of a content; a text becomes one text part. */
export function toParts(content: Content): readonly PartJson[] {
  if (typeof content === 'string') return [{ text: content }]
  return isPartList(content) ? content : [content]
}

function isPartList(content: PartJson | readonly PartJson[]): content is readonly PartJson[] {
  return Array.isArray(content)
}
