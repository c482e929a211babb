import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
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
  const error = await loadAgent(path, process.env).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ConfigError)
  return (error as ConfigError).message
}

/** The stack of what the script throws in a process of its own: vitest maps the lines of stacks in a way of its own. */
async function inProcess(script: string): Promise<string> {
  const source = `import { loadAgent } from ${JSON.stringify(new URL('./load-agent.ts', import.meta.url).href)}
    try { ${script} } catch (error) { console.log(error.stack) }`
  const args = ['--import', import.meta.resolve('tsx'), '--input-type=module', '-e', source]
  return (await promisify(execFile)(process.execPath, args)).stdout
}

describe('loadAgent', () => {
  it('loads the example, which is TypeScript and imports @moorage/agent', async () => {
    const path = fileURLToPath(new URL('../../../examples/hello/agent.ts', import.meta.url))
    expect((await loadAgent(path, process.env)).id).toBe('hello')
  })

  it.each(['agent.mts', 'agent.ts'])('lends @moorage/agent and zod to a module in a package that has neither: %s', async (name) => {
    const path = await moduleFile(
      name,
      `import { defineAgent } from '@moorage/agent'
       import { z } from 'zod'
       export default defineAgent({ id: 'far' as string, input: z.object({ place: z.string() }), turn: (turn) => turn.complete(turn.input.place) })`,
    )
    expect((await loadAgent(path, process.env)).id).toBe('far')
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
    expect((await loadAgent(await moduleFile(name, content), process.env)).id).toBe('mine')
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
    expect(fault).toBe(`MOORAGE_AGENT: ${path} could not be loaded. ${path}:2:12: ERROR: Expected "}" but found end of file`)
  })

  it('takes TypeScript whose package does not say what it is for an ES module', async () => {
    const content = `export const agent = await Promise.resolve(${AGENT})`
    expect((await loadAgent(await moduleFile('agent.ts', content), process.env)).id).toBe('mine')
  })

  it('says how to have an await at the top level in a CommonJS package', async () => {
    const path = await moduleFile('agent.ts', `export const agent = await Promise.resolve(${AGENT})`)
    await writeFile(join(dirname(path), 'package.json'), '{"type":"commonjs"}')
    expect(await faultOf(path)).toContain(`name the file ${path.replace('.ts', '.mts')}, or set "type": "module" in its package.json`)
  })

  it.each([
    ['agent.ts', "const key = undefined\n\nif (!key) throw new Error('MY_KEY is not set')", '3: MY_KEY is not set'],
    ['agent.mjs', "const key = undefined\n\nif (!key) throw new Error('MY_KEY is not set')", '3: MY_KEY is not set'],
    [
      'agent.mts',
      "import { defineAgent } from '@moorage/agent'\nexport default defineAgent({ id: 'My Agent' })",
      '2: TypeError: defineAgent: id must',
    ],
  ])('says the line of %s that throws while it is loaded', async (name, content, fault) => {
    const path = await moduleFile(name, content)
    expect(await inProcess(`await loadAgent(${JSON.stringify(path)}, process.env)`)).toContain(
      `MOORAGE_AGENT: ${path} could not be loaded. ${path}:${fault}`,
    )
  })

  it.each(['agent.ts', 'agent.mjs'])(
    'says that an await at the top level of %s never settles, where nothing is left to wait for',
    async (name) => {
      const path = await moduleFile(name, `await new Promise(() => undefined)\nexport const agent = ${AGENT}`)
      expect(await inProcess(`await loadAgent(${JSON.stringify(path)}, process.env)`)).toContain(
        `MOORAGE_AGENT: ${path} did not finish loading: an await at its top level never settles`,
      )
    },
  )

  it('waits no longer for a module once the process is told to stop', async () => {
    const path = await moduleFile('agent.mjs', `await globalThis.tellsToStop()\nexport const agent = ${AGENT}`)
    const stop = new AbortController()
    const tellsToStop = () => {
      stop.abort()
      return new Promise(() => undefined)
    }
    Object.assign(globalThis, { tellsToStop })
    onTestFinished(() => void Reflect.deleteProperty(globalThis, 'tellsToStop'))
    const error = await loadAgent(path, process.env, undefined, stop.signal).catch((thrown: unknown) => thrown)
    expect(error).toBe(stop.signal.reason)
  })

  it('has stacks of the agent name its file and line', async () => {
    const content = `interface Order { place: string }\n\nexport const agent = { id: 'mine', commands: {}, turn: (): Order => {\n  throw new Error('no') } }`
    const path = await moduleFile('agent.ts', content)
    expect(await inProcess(`(await loadAgent(${JSON.stringify(path)}, process.env)).turn()`)).toContain(`(${path}:4:9)`)
  })

  it('says what the module imports and does not find', async () => {
    const path = await moduleFile('agent.mts', "import '@nobody/nothing'")
    expect(await faultOf(path)).toContain("Cannot find package '@nobody/nothing'")
  })

  it('says that the module exports no agent, and how to export one', async () => {
    const path = await moduleFile('agent.mts', 'export const answer = 42')
    expect(await faultOf(path)).toContain(`MOORAGE_AGENT: ${path} exports no agent. Export one: export default defineAgent(`)
  })
})
