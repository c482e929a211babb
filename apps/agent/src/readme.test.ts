import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { CONFIG_VARIABLES } from './config-variables.js'

it.each(['../../../README.md', '../README.md'])('%s has every variable in its table, with default and meaning', async (path) => {
  const readme = await readFile(new URL(path, import.meta.url), 'utf8')
  const [, section = ''] = readme.split('\n## Configuration\n')
  const rows = (section.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'))
  const cells = rows.map((row) => row.split('|').map((cell) => cell.trim().replaceAll('`', '')))
  expect(cells).toEqual(CONFIG_VARIABLES.map((row) => ['', row.name, row.default, row.meaning, '']))
})
