import { stat } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
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

export interface LoadOptions {
  /** Told, every ten seconds, that the module is still being loaded. */
  readonly progress?: ((line: string) => void) | undefined
  /** Aborted when the process is told to stop: then loading rejects with its reason, whatever the module is doing. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Imports the module at `path`, TypeScript or JavaScript.
 * @param variable the one that names the module
 * @param env the environment of the process, in which a CommonJS module finds what it is lent
 * @throws ConfigError that says why it cannot be loaded; its `cause` is what the module threw.
 */
export async function loadModule(variable: string, path: string, env: RawEnvironment, options: LoadOptions = {}): Promise<unknown> {
  const faults = await checkModuleFile(variable, path)
  if (faults.length > 0) throw new ConfigError(faults)
  return unlessStuck(`${variable}: ${path}`, importModule(variable, path, env), options)
}

/** What a module's export of this name is; undefined where it has none. */
export function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

async function importModule(variable: string, path: string, env: RawEnvironment): Promise<unknown> {
  lendImports(env)
  try {
    return await tsImport(pathToFileURL(path).href, import.meta.url)
  } catch (error) {
    throw new ConfigError([`${variable}: ${path} could not be loaded. ${describeModuleFault(path, error)}`], { cause: error })
  }
}

/** Node ends a process that has nothing left to wait for, with 0 and without a word, whatever promise is still pending. */
async function unlessStuck<T>(what: string, loading: Promise<T>, { progress, signal }: LoadOptions): Promise<T> {
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
