import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { CONFIG_VARIABLES, KNOWN_VARIABLES, WORKER_ONLY } from './config-variables.js'

/** The rows of the two configuration tables, this app's and what apps/worker has of its own. */
async function readTables(): Promise<readonly (readonly string[])[][]> {
  const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8')
  const section = readme.split('\n## Configuration\n')[1]?.split('\n## ')[0] ?? ''
  const blocks = section.split('\n\n').filter((block) => block.startsWith('| variable'))
  return blocks.map((block) => {
    const rows = block.split('\n').filter((line) => line.startsWith('| `'))
    return rows.map((row) => row.split('|').map((cell) => cell.trim().replaceAll('`', '')))
  })
}

it('has every variable in the first table of the README, with default and meaning', async () => {
  const [table] = await readTables()
  expect(table).toEqual(CONFIG_VARIABLES.map((row) => ['', row.name, row.default, row.meaning, '']))
})

it('knows what apps/worker alone reads', async () => {
  const [, table = []] = await readTables()
  const names = table.map(([, name = '']) => name)
  expect(WORKER_ONLY).toEqual(names.filter((name) => name.startsWith('MOORAGE_') && !(name in KNOWN_VARIABLES)))
})
