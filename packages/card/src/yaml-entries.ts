import { fieldPath } from '@moorage/protocol'
import { type Document, isMap, isNode, isScalar, isSeq } from 'yaml'

/** A field or a list item of a YAML text, and the offsets between which it stands. */
export interface YamlEntry {
  readonly field: string
  readonly start: number
  readonly end: number
}

/** Every field and item, each before what is in it; one that is given twice comes twice. */
export function yamlEntries(document: Document.Parsed): readonly YamlEntry[] {
  return [...entriesOf(document.contents, [])]
}

function* entriesOf(node: unknown, path: readonly PropertyKey[]): Generator<YamlEntry> {
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      if (isScalar(key)) yield* entryOf(key, value, [...path, String(key.value)])
    }
  } else if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) yield* entryOf(item, item, [...path, index])
  }
}

function* entryOf(first: unknown, value: unknown, path: readonly PropertyKey[]): Generator<YamlEntry> {
  if (!isNode(first) || !first.range) return
  const end = isNode(value) ? value.range?.[1] : undefined
  yield { field: fieldPath(path), start: first.range[0], end: end ?? first.range[1] }
  yield* entriesOf(value, path)
}

/** The innermost field or item in which the offset is; `''` where it is in none. */
export function fieldAt(entries: readonly YamlEntry[], offset: number): string {
  return entries.findLast(({ start, end }) => start <= offset && offset <= end)?.field ?? ''
}
