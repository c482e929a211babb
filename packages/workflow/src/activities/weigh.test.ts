import type { PartJson } from '@moorage/protocol'
import { expect, test } from 'vitest'
import { weighPart } from './weigh.js'

test.each<[PartJson, number]>([
  [{ text: 'abc' }, 3],
  [{ raw: 'AAAA' }, 4],
  [{ url: 'https://a.test/' }, 15],
  [{ data: { a: 1 } }, 7],
  [{ text: 'abc', filename: 'a.txt', metadata: { a: 1 } }, 15],
])('the part %j has %i characters, with its file name and metadata', (part, characters) => {
  expect(weighPart(part)).toBe(characters)
})
