import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '@moorage/bootstrap'
import { expect, it } from 'vitest'
import { loadAgents } from './load-agents.js'
import { temporaryFolder } from './temporary-folder.js'

async function agentFile(name: string, id: string): Promise<string> {
  const path = join(await temporaryFolder(), name)
  await writeFile(path, `export const agent = { id: '${id}', commands: {}, turn: (turn) => turn.complete() }`)
  return path
}

it('loads the built-in agent where none is named, and else those that are', async () => {
  expect((await loadAgents([], process.env)).map(({ id }) => id)).toEqual(['moorage'])
  const paths = [await agentFile('a.mjs', 'boats'), await agentFile('b.mjs', 'berths')]
  expect((await loadAgents(paths, process.env)).map(({ id }) => id)).toEqual(['boats', 'berths'])
})

it('refuses two agents with one id, and names both', async () => {
  const paths = [await agentFile('a.mjs', 'boats'), await agentFile('b.mjs', 'boats')]
  const error = await loadAgents(paths, process.env).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ConfigError)
  expect(error).toMatchObject({ faults: [`MOORAGE_AGENT: ${paths[0]} and ${paths[1]} both have the id "boats": give each agent its own`] })
})
