import { homedir } from 'node:os'

/** Environment variables of a process, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * The environment of a child process: the given one, or next to nothing.
 * Without `TEMPORAL_*`, which would steer the CLI to another server, and without `NODE_OPTIONS`, which would load the app's hooks into the watchdog.
 */
export function childEnvironment(env: Environment | undefined, path?: string): Record<string, string> {
  const result: Record<string, string> = env === undefined ? { HOME: homedir() } : {}
  for (const [name, value] of Object.entries(env ?? {})) {
    if (value !== undefined && name !== 'NODE_OPTIONS' && !name.startsWith('TEMPORAL_')) result[name] = value
  }
  if (path !== undefined) result['PATH'] = path
  return result
}
