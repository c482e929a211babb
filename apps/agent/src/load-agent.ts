import { stat } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { type Agent, isAgent } from '@moorage/agent'
import { tsImport } from 'tsx/esm/api'
import { lendImports } from './agent-imports.js'
import { ConfigError } from './config-error.js'

/**
 * Imports the module at `path`, TypeScript or JavaScript, and returns the agent that it exports as default or as `agent`.
 * @throws ConfigError that says why there is no agent; its `cause` is what the module threw.
 */
export async function loadAgent(path: string): Promise<Agent> {
  await requireFile(path)
  const agent = findAgent(await importModule(path))
  if (agent !== undefined) return agent
  throw new ConfigError([`MOORAGE_AGENT: ${path} exports no agent. Export one: export default defineAgent({ id: '…', turn(turn) { … } })`])
}

async function requireFile(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile()) return
  const what = found === undefined ? 'does not exist' : 'is not a file'
  throw new ConfigError([
    `MOORAGE_AGENT names ${path}, which ${what}. Give the path of the module, relative to the folder where you run the command`,
  ])
}

async function importModule(path: string): Promise<unknown> {
  lendImports()
  try {
    return await tsImport(pathToFileURL(path).href, import.meta.url)
  } catch (error) {
    throw new ConfigError([`MOORAGE_AGENT: ${path} could not be loaded. ${describe(error)}`], { cause: error })
  }
}

/** In a CommonJS module, which is what TypeScript outside of any package becomes, the exports are under the default export. */
function findAgent(module: unknown): Agent | undefined {
  const exports = property(module, 'default')
  return [exports, property(exports, 'default'), property(module, 'agent'), property(exports, 'agent')].find(isAgent)
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

/** In one line; the kind of error is said where it says more than its message. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return `It threw ${String(error)}`
  const message = error.message.replace(/\?namespace=[\w-]+/g, '').replace(/\s*\n\s*-?\s*/g, ' ')
  return /^(Transform)?Error$/.test(error.name) ? message : `${error.name}: ${message}`
}
