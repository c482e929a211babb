import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureEngine } from '@moorage/engine'
import { startClusterWorld } from './cluster-world.js'
import type { Backend } from './fault.js'
import { findLeftProcesses } from './leftovers.js'
import type { Options } from './options.js'
import { startPostgresWorld } from './postgres-world.js'
import { type ChaosResult, runChaos } from './run-chaos.js'
import { startSqliteWorld } from './sqlite-world.js'
import type { World, WorldOptions } from './world.js'

const WORLDS: Readonly<Record<Backend, (options: WorldOptions) => Promise<World>>> = {
  sqlite: startSqliteWorld,
  postgres: startPostgresWorld,
  cluster: startClusterWorld,
}

export interface ChaosRun extends ChaosResult {
  /** What the processes wrote and kept; undefined where all went well and it was removed. */
  readonly folder: string | undefined
}

/**
 * The whole suite: starts a world, runs the rounds in it, stops it, and looks for what is left. `onFolder` is told where all of it is kept before
 * anything runs.
 */
export async function chaos(
  options: Options,
  signal: AbortSignal,
  tell: (line: string) => void,
  onFolder: (folder: string) => void = () => undefined,
): Promise<ChaosRun> {
  const { TEMPORAL_CLI, PATH: path } = process.env
  const cli = await ensureEngine({ cli: TEMPORAL_CLI, path, env: process.env, onProgress: tell })
  const folder = await mkdtemp(join(tmpdir(), 'moorage-chaos-'))
  onFolder(folder)
  // Postgres may run as another account, which has to get through.
  await chmod(folder, 0o711)
  await mkdir(join(folder, 'logs'))
  tell(`Starting ${options.on} in ${folder}.`)
  const world = await WORLDS[options.on]({ folder, cli, signal })
  const result = await runChaos({ ...options, world, signal, tell }).catch(async (error: unknown) => {
    await world.stop()
    throw error
  })
  tell(`Stopping ${options.on}.`)
  const left = [...(await world.stop()), ...(await findLeftProcesses(folder))]
  const verdicts = [...result.verdicts, ...(signal.aborted ? [] : left.map((finding) => ({ ...finding, task: 'the end' })))]
  const isWhole = verdicts.length === 0
  if (isWhole) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  return { ...result, verdicts, folder: isWhole ? undefined : folder }
}
