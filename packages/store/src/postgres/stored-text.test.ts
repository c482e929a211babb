import { expect, it } from 'vitest'
import { fromStoredText, toStoredText } from './stored-text.js'

/** Every text of up to four of these characters. */
const TEXTS = ['\u0000', '\u0001', '\u0002', 'a'].reduce<readonly string[]>(
  (texts) => [...new Set([...texts, ...texts.flatMap((text) => ['\u0000', '\u0001', '\u0002', 'a'].map((letter) => text + letter))])],
  [''],
)

it('stores no U+0000, gives every text back, and keeps their order', () => {
  const stored = TEXTS.map(toStoredText)
  expect(stored.some((text) => text.includes('\u0000'))).toBe(false)
  expect(stored.map(fromStoredText)).toEqual(TEXTS)
  const byCodes = (left: string, right: string) => (left < right ? -1 : 1)
  expect(stored.toSorted(byCodes).map(fromStoredText)).toEqual(TEXTS.toSorted(byCodes))
})

it('leaves other texts as they are', () => {
  for (const text of ['', 'hello', 'ä\n\u0002', JSON.stringify('\u0000\u0001')]) expect(toStoredText(text)).toBe(text)
})
