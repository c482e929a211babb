import { MARK } from './mark.js'
import { SHAPES } from './shapes.js'

/** Where a secret is in a text: from `start` up to, but without, `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** The secrets in a text, in order; those that overlap are one. `configured` finds those that are secrets whatever they look like. */
export function findSecrets(text: string, configured: RegExp | undefined): readonly Span[] {
  const spans =
    configured === undefined
      ? []
      : [...text.matchAll(configured)].map(({ index, 0: { length } }) => ({ start: index, end: index + length }))
  for (const { pattern, isInnocent } of SHAPES) {
    for (const { groups = {}, indices } of text.matchAll(pattern)) {
      const [start, end] = indices?.groups?.['secret'] ?? [0, 0]
      if (end > start && isInnocent?.(groups) !== true) spans.push({ start, end })
    }
  }
  return merge(spans)
}

function merge(spans: readonly Span[]): readonly Span[] {
  const merged: Span[] = []
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last === undefined || start >= last.end) merged.push({ start, end })
    else merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, end) }
  }
  return merged
}

/** The text between two places, with the mark where there is a secret. */
export function markSpans(text: string, spans: readonly Span[], from = 0, to = text.length): string {
  // Nothing is given out, so no mark for a secret around it either.
  if (from >= to) return ''
  let marked = ''
  let at = from
  for (const { start, end } of spans) {
    if (end <= at || start >= to) continue
    marked += text.slice(at, Math.max(at, start)) + MARK
    at = Math.min(end, to)
  }
  return marked + text.slice(at, to)
}
