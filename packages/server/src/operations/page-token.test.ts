import { describe, expect, test } from 'vitest'
import { createPageTokens } from './page-token.js'

const tokens = createPageTokens(new Uint8Array(32).fill(7))
const cursor = { statusAt: 1_700_000_000_123, id: 'tâsk "1".x' }

describe('a page token', () => {
  test('opens to its cursor, and may stand in a URL as it is', async () => {
    const token = await tokens.seal(cursor, 'scope')
    expect(token).toMatch(/^[A-Za-z0-9_.-]+$/)
    expect(await tokens.open(token, 'scope')).toEqual(cursor)
  })

  test('does not open in another scope or with another key', async () => {
    const token = await tokens.seal(cursor, 'scope')
    expect(await tokens.open(token, 'other')).toBeUndefined()
    expect(await createPageTokens(new Uint8Array(32)).open(token, 'scope')).toBeUndefined()
  })

  test('does not open when one letter is another', async () => {
    const token = await tokens.seal(cursor, 'scope')
    for (let i = 0; i < token.length; i++) {
      // The last letter of a part carries bits that no byte takes.
      if (i === token.indexOf('.') - 1 || i === token.length - 1) continue
      const changed = token.slice(0, i) + (token[i] === 'A' ? 'B' : 'A') + token.slice(i + 1)
      expect(await tokens.open(changed, 'scope')).toBeUndefined()
    }
  })

  test.each(['', '.', 'a', 'a.b.c', 'ä.ä', '=.=', `${'a'.repeat(100_000)}.a`])('does not open where it is none: %.20s', async (token) => {
    expect(await tokens.open(token, 'scope')).toBeUndefined()
  })
})
