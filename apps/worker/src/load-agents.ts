import type { Agent } from '@moorage/agent'
import { builtInAgent, ConfigError, loadAgent, type RawEnvironment } from '@moorage/bootstrap'

/**
 * The agents at these paths, or the built-in one.
 * @throws ConfigError where one cannot be loaded, or two have one id: the tasks of both would be run by either
 */
export async function loadAgents(
  paths: readonly string[],
  env: RawEnvironment,
  progress?: (line: string) => void,
  signal?: AbortSignal,
): Promise<readonly Agent[]> {
  if (paths.length === 0) return [builtInAgent]
  const agents = new Map<string, { readonly agent: Agent; readonly path: string }>()
  for (const path of paths) {
    const agent = await loadAgent(path, env, progress, signal)
    const other = agents.get(agent.id)
    if (other !== undefined) {
      throw new ConfigError([`MOORAGE_AGENT: ${other.path} and ${path} both have the id "${agent.id}": give each agent its own`])
    }
    agents.set(agent.id, { agent, path })
  }
  return [...agents.values()].map(({ agent }) => agent)
}
