import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Engine, type EngineCli, startEngine } from '@moorage/engine'
import { inject } from 'vitest'
import { PATIENCE_MS } from '../patience.js'

/** Temporal's own settings, which override ours: what a server has that nobody has tuned, or a limit that a test wants to reach sooner. */
export type DynamicConfig = Readonly<Record<string, number>>

/** Starts a Temporal dev server of the test's own on the folder and port. */
export async function startTestEngine(dataDir: string, port?: number, dynamicConfig?: DynamicConfig): Promise<Engine> {
  const cli = dynamicConfig ? await configuredCli(`${dataDir}-cli`, dynamicConfig) : inject('engineCli')
  return startEngine({ cli, dataDir, port, env: process.env, readyTimeoutMs: PATIENCE_MS })
}

/** The CLI as a script that adds settings to those that the engine gives: of two for the same key the last one counts. */
async function configuredCli(dir: string, dynamicConfig: DynamicConfig): Promise<EngineCli> {
  const cli = inject('engineCli')
  const path = join(dir, 'temporal')
  const settings = Object.entries(dynamicConfig).map(([key, value]) => `--dynamic-config-value ${key}=${value}`)
  await mkdir(dir, { recursive: true })
  await writeFile(path, `#!/bin/sh\ncase "$1" in server) set -- "$@" ${settings.join(' ')} ;; esac\nexec '${cli.path}' "$@"\n`)
  await chmod(path, 0o755)
  return { ...cli, path }
}
