import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { expect } from 'vitest'

const FOLDER = new URL('../../../pins/', import.meta.url)

/** How to accept a change, once it is clear that nobody outside is broken by it. */
const REGENERATE = 'UPDATE_CONTRACT=1 npx vitest run --project @moorage/test-contract src/conformance/pins'

/**
 * Compares the value with the literal in `test-contract/pins/<name>.json`, or writes it there where `UPDATE_CONTRACT` is set.
 * @param means what a change of it means to those who rely on it: the end of the sentence "A change means that …"
 */
export async function expectPinned(name: string, value: unknown, means: string): Promise<void> {
  const file = new URL(`${name}.json`, FOLDER)
  const json = JSON.parse(JSON.stringify(value)) as unknown
  if (process.env['UPDATE_CONTRACT']) {
    await mkdir(FOLDER, { recursive: true })
    await writeFile(file, `${JSON.stringify(json, undefined, 2)}\n`)
    return
  }
  const pinned = JSON.parse(await readFile(file, 'utf8')) as unknown
  const advice = `pins/${name}.json says otherwise. A change means that ${means}. If that is meant, say why in the commit, and write the pin anew: ${REGENERATE}`
  expect(json, advice).toEqual(pinned)
}
