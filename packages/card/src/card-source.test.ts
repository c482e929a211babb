import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { CardError } from './card-error.js'
import { sourceOfFile, sourceOfObject } from './card-source.js'

const folder = mkdtempSync(join(tmpdir(), 'card-source-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

const modulePath = join(folder, 'agent.ts')

function refusal(read: () => unknown): string {
  try {
    read()
  } catch (error) {
    if (error instanceof CardError) return error.message
    throw error
  }
  return expect.fail('the card was accepted')
}

describe('sourceOfFile', () => {
  it.each([
    ['./nope.yaml', join(folder, 'nope.yaml'), "There is no such file; create it, or correct the agent's `card`"],
    ['.', folder, 'This is a folder, not a file; name the file'],
  ])('says what is at %j instead of a card', (path, file, words) => {
    expect(refusal(() => sourceOfFile(path, modulePath))).toContain(`\n  - ${file}: ${words}`)
  })

  it('says that a part of the path is no folder', () => {
    writeFileSync(modulePath, '')
    expect(refusal(() => sourceOfFile('./agent.ts/card.yaml', modulePath))).toContain(': There is no such file, and a part of its path')
  })

  it.skipIf(process.getuid?.() === 0)('says that it may not read the file', () => {
    const file = join(folder, 'secret.yaml')
    writeFileSync(file, 'name: A')
    chmodSync(file, 0)
    expect(refusal(() => sourceOfFile(file, undefined))).toContain(`${file}: This process may not read the file; `)
  })

  it('asks for a path, and for what it is relative to', () => {
    expect(refusal(() => sourceOfFile(' ', modulePath))).toContain('\n  - The path of the card is empty; give the path')
    expect(refusal(() => sourceOfFile('./card.yaml', undefined))).toContain('give an absolute path, or the option modulePath.')
  })

  it('counts columns without the mark that some editors put first', () => {
    const file = join(folder, 'marked.yaml')
    writeFileSync(file, '\uFEFFname: A')
    const { value, placeOf } = sourceOfFile(file, undefined)
    expect([value, placeOf(['name'])]).toStrictEqual([{ name: 'A' }, { line: 1, column: 1 }])
  })
})

describe('sourceOfObject', () => {
  it('refuses what JSON has no form for', () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    expect(refusal(() => sourceOfObject(circle))).toContain('cannot be written as JSON (Converting circular structure to JSON); give texts')
    expect(refusal(() => sourceOfObject({ name: 1n }))).toContain('BigInt')
  })
})
