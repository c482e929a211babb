import { type Agent, isAgent } from '@moorage/agent'
import { ConfigError } from './config-error.js'
import type { RawEnvironment } from './environment.js'
import { loadModule, property } from './load-module.js'

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
  const agent = findAgent(await loadModule('MOORAGE_AGENT', path, env, { progress, signal }))
  if (agent !== undefined) return agent
  throw new ConfigError([`MOORAGE_AGENT: ${path} exports no agent. Export one: export default defineAgent({ id: '…', turn(turn) { … } })`])
}

/** In a CommonJS module the exports are under the default export. */
function findAgent(module: unknown): Agent | undefined {
  const exports = property(module, 'default')
  return [exports, property(exports, 'default'), property(module, 'agent'), property(exports, 'agent')].find(isAgent)
}
