import { readFile } from 'node:fs/promises'
import { SHARED_ROWS } from '@moorage/bootstrap'
import { expect, it } from 'vitest'
import { AGENT_ONLY, CONFIG_VARIABLES, KNOWN_VARIABLES } from './config-variables.js'

/** The rows of the two configuration tables, that of apps/agent and what this app has of its own. */
async function readTables(): Promise<readonly (readonly string[])[][]> {
  const readme = await readFile(new URL('../../../README.md', import.meta.url), 'utf8')
  const section = readme.split('\n## Configuration\n')[1]?.split('\n## ')[0] ?? ''
  const blocks = section.split('\n\n').filter((block) => block.startsWith('| variable'))
  return blocks.map((block) => {
    const rows = block.split('\n').filter((line) => line.startsWith('| `'))
    return rows.map((row) => row.split('|').map((cell) => cell.trim().replaceAll('`', '')))
  })
}

it('has every variable of its own in the second table of the README, and the shared ones in the first, in one block', async () => {
  const [shared = [], own] = await readTables()
  const cells = CONFIG_VARIABLES.map((row) => ['', row.name, row.default, row.meaning, ''])
  expect([...(own ?? []), ...shared.slice(-SHARED_ROWS.length)]).toEqual(cells)
})

it('knows what apps/agent alone reads', async () => {
  const [table = []] = await readTables()
  const names = table.map(([, name = '']) => name)
  expect(AGENT_ONLY).toEqual(names.filter((name) => name.startsWith('MOORAGE_') && !(name in KNOWN_VARIABLES)))
})
