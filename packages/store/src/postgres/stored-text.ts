/**
 * Postgres stores every character of a text but U+0000. It is written as U+0001 U+0001 here, and U+0001 as U+0001 U+0002, so that texts are
 * ordered as before. JSON never has either as such: it escapes them.
 */
export function toStoredText(text: string): string {
  if (!text.includes('\u0000') && !text.includes('\u0001')) return text
  return text.replaceAll('\u0001', '\u0001\u0002').replaceAll('\u0000', '\u0001\u0001')
}

export function fromStoredText(stored: string): string {
  if (!stored.includes('\u0001')) return stored
  return stored.replaceAll('\u0001\u0001', '\u0000').replaceAll('\u0001\u0002', '\u0001')
}
