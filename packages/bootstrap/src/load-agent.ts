import { stat } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { type Agent, isAgent } from '@moorage/agent'
import { tsImport } from 'tsx/esm/api'
import { lendImports } from './agent-imports.js'
import { ConfigError } from './config-error.js'
import type { RawEnvironment } from './environment.js'
import { describeModuleFault } from './module-fault.js'

/** A sentence where a variable names no file that a module could be; none where it does. */
export async function checkModuleFile(variable: string, path: string): Promise<readonly string[]> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile()) return []
  const what = found === undefined ? 'does not exist' : 'is not a file'
  return [`${variable} names ${path}, which ${what}. Give the path of the module, relative to the folder where you run the command`]
}

/** After how long a module that is still being loaded is spoken of, each time. */
const SAY_EVERY_MS = 10_000

/**
 * Imports the module at `path`, TypeScript or JavaScript, and returns the agent that it exports as default or as `agent`.
 * @param env the environment of the process, in which a CommonJS module finds `@moorage/agent`
 * @param progress told, every ten seconds, that the module is still being loaded
 * @param signal aborted when the process is told to stop: then this rejects with its reason, whatever the module is doing
 * @throws ConfigError that says why there is no agent; its `cause` is what the module threw.
 */
export async function loadAgent(
  path: string,
  env: RawEnvironment,
  progress?: (line: string) => void,
  signal?: AbortSignal,
): Promise<Agent> {
  const faults = await checkModuleFile('MOORAGE_AGENT', path)
  if (faults.length > 0) throw new ConfigError(faults)
  const agent = findAgent(await unlessStuck(path, importModule(path, env), { progress, signal }))
  if (agent !== undefined) return agent
  throw new ConfigError([`MOORAGE_AGENT: ${path} exports no agent. Export one: export default defineAgent({ id: '…', turn(turn) { … } })`])
}

async function importModule(path: string, env: RawEnvironment): Promise<unknown> {
  lendImports(env)
  try {
    return await tsImport(pathToFileURL(path).href, import.meta.url)
  } catch (error) {
    throw new ConfigError([`MOORAGE_AGENT: ${path} could not be loaded. ${describeModuleFault(path, error)}`], { cause: error })
  }
}

interface LoadOptions {
  readonly progress: ((line: string) => void) | undefined
  readonly signal: AbortSignal | undefined
}

/** Node ends a process that has nothing left to wait for, with 0 and without a word, whatever promise is still pending. */
async function unlessStuck<T>(path: string, loading: Promise<T>, { progress, signal }: LoadOptions): Promise<T> {
  const what = `MOORAGE_AGENT: ${path}`
  // Neither of the two keeps the process.
  const slow = setInterval(() => progress?.(`${what} is still being loaded.`), SAY_EVERY_MS).unref()
  let refuse = (): void => undefined
  let stop = (): void => undefined
  const stuck = new Promise<never>((_resolve, reject) => {
    refuse = () => reject(new ConfigError([`${what} did not finish loading: an await at its top level never settles`]))
    stop = () => reject(signal?.reason)
  })
  process.once('beforeExit', refuse)
  signal?.addEventListener('abort', stop)
  if (signal?.aborted) stop()
  try {
    return await Promise.race([loading, stuck])
  } finally {
    clearInterval(slow)
    process.removeListener('beforeExit', refuse)
    signal?.removeEventListener('abort', stop)
  }
}

/** In a CommonJS module the exports are under the default export. */
function findAgent(module: unknown): Agent | undefined {
  const exports = property(module, 'default')
  return [exports, property(exports, 'default'), property(module, 'agent'), property(exports, 'agent')].find(isAgent)
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
