import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { ConfigError } from './config-error.js'
import { loadAgent } from './load-agent.js'
import { temporaryFolder } from './temporary-folder.js'

const AGENT = "{ id: 'mine', commands: {}, turn: (turn) => turn.complete() }"

async function moduleFile(name: string, content: string): Promise<string> {
  const path = join(await temporaryFolder(), name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
  return path
}

async function faultOf(path: string): Promise<string> {
  const error = await loadAgent(path).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ConfigError)
  return (error as ConfigError).message
}

describe('loadAgent', () => {
  it('loads the example, which is TypeScript and imports @moorage/agent', async () => {
    const path = fileURLToPath(new URL('../../../examples/hello/agent.ts', import.meta.url))
    expect((await loadAgent(path)).id).toBe('hello')
  })

  it.each(['agent.mts', 'agent.ts'])('lends @moorage/agent and zod to a module in a package that has neither: %s', async (name) => {
    const path = await moduleFile(
      name,
      `import { defineAgent } from '@moorage/agent'
       import { z } from 'zod'
       export default defineAgent({ id: 'far' as string, input: z.object({ place: z.string() }), turn: (turn) => turn.complete(turn.input.place) })`,
    )
    expect((await loadAgent(path)).id).toBe('far')
  })

  it.each([
    ['agent.ts', `export default ${AGENT} as { id: string }`],
    ['agent.mts', `export const agent = ${AGENT}`],
    ['agent.ts', `export const agent: unknown = ${AGENT}`],
    ['agent.mjs', `export default ${AGENT}`],
    ['agent.js', `export default ${AGENT}`],
    ['agent.cjs', `module.exports = ${AGENT}`],
    ['with space/agent.mjs', `export const agent = ${AGENT}`],
  ])('loads %s: %s', async (name, content) => {
    expect((await loadAgent(await moduleFile(name, content))).id).toBe('mine')
  })

  it('says that there is no such file', async () => {
    expect(await faultOf('/nowhere/agent.ts')).toBe(
      'MOORAGE_AGENT names /nowhere/agent.ts, which does not exist. Give the path of the module, relative to the folder where you run the command',
    )
  })

  it('says that a folder is not a file', async () => {
    expect(await faultOf(tmpdir())).toContain(`MOORAGE_AGENT names ${tmpdir()}, which is not a file.`)
  })

  it('says in one line where the syntax is wrong', async () => {
    const path = await moduleFile('agent.ts', 'export default {\n  id: "mine"')
    const fault = await faultOf(path)
    expect(fault).toContain(`MOORAGE_AGENT: ${path} could not be loaded. Transform failed`)
    expect(fault).toContain('agent.ts:2:12: ERROR: Expected "}"')
    expect(fault).not.toContain('\n')
  })

  it('says what the module imports and does not find', async () => {
    const path = await moduleFile('agent.mts', "import '@nobody/nothing'")
    expect(await faultOf(path)).toContain("Cannot find package '@nobody/nothing'")
  })

  it('says what the definition of the agent refuses', async () => {
    const path = await moduleFile(
      'agent.mts',
      "import { defineAgent } from '@moorage/agent'\nexport default defineAgent({ id: 'My Agent' })",
    )
    expect(await faultOf(path)).toContain('could not be loaded. TypeError: defineAgent: id must be')
  })

  it('says that the module exports no agent, and how to export one', async () => {
    const path = await moduleFile('agent.mts', 'export const answer = 42')
    expect(await faultOf(path)).toContain(`MOORAGE_AGENT: ${path} exports no agent. Export one: export default defineAgent(`)
  })
})
