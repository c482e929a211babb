import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Environment } from './child-environment.js'
import { checkCli, type EngineCli, type EngineCliSource, missing } from './engine-cli.js'
import { EngineError } from './engine-error.js'
import { findOnPath, programFile } from './on-path.js'

export interface FindEngineOptions {
  /** A CLI that must be used, from `TEMPORAL_CLI`; empty means none. */
  readonly cli?: string | undefined
  /** Folders to look in, from `PATH`. */
  readonly path?: string | undefined
  /** Where fetched binaries are kept. @default `~/.cache/moorage` */
  readonly cacheDir?: string | undefined
  /** Environment of the processes that are started; apps pass theirs. @default only `HOME` */
  readonly env?: Environment | undefined
  /** Told what is being done, a line at a time. */
  readonly onProgress?: ((line: string) => void) | undefined
}

/** What a search came to: the first usable CLI, and a sentence about each file that is none. */
export interface EngineSearch {
  readonly cli: EngineCli | undefined
  readonly passedOver: readonly string[]
}

/** The folder for fetched binaries: `$XDG_CACHE_HOME/moorage`, else `~/.cache/moorage`. */
export function cacheFolder(xdgCacheHome?: string): string {
  return join(xdgCacheHome || join(homedir(), '.cache'), 'moorage')
}

/** The place of the fetched CLI in a cache folder. */
export function cachedCli(cacheDir: string | undefined): string {
  return join(resolve(cacheDir ?? cacheFolder()), programFile('temporal'))
}

/**
 * The first usable Temporal CLI of `cli`, `path` and `cacheDir`, in this order; undefined where there is none. What is too old or broken on the
 * path or in the cache is passed over and told to `onProgress`.
 * @throws EngineError `cli-unusable` where `cli` is given and does not do.
 */
export async function findEngine(options: FindEngineOptions = {}): Promise<EngineCli | undefined> {
  const { cli, passedOver } = await searchEngine(options)
  for (const line of passedOver) options.onProgress?.(`Passed over: ${line}.`)
  return cli
}

/** `findEngine` that returns what it passed over. */
export async function searchEngine(options: FindEngineOptions): Promise<EngineSearch> {
  if (options.cli !== undefined && options.cli !== '') return { cli: await requireCli(options.cli, options.env), passedOver: [] }
  const candidates: (readonly [EngineCliSource, string])[] = []
  for (const file of await findOnPath('temporal', options.path)) candidates.push(['PATH', resolve(file)])
  candidates.push(['cache', cachedCli(options.cacheDir)])
  const passedOver: string[] = []
  for (const [source, path] of candidates) {
    const check = await checkCli(path, options.env)
    if ('server' in check) return { cli: { path, server: check.server, source }, passedOver }
    if (check.reason !== missing) passedOver.push(`${path} (${source}) ${check.reason}`)
  }
  return { cli: undefined, passedOver }
}

async function requireCli(file: string, env: Environment | undefined): Promise<EngineCli> {
  const path = resolve(file)
  const check = await checkCli(path, env)
  if ('server' in check) return { path, server: check.server, source: 'TEMPORAL_CLI' }
  throw new EngineError(
    'cli-unusable',
    `TEMPORAL_CLI names ${path}, which ${check.reason}. Point it at a Temporal CLI, or unset it to have one found or fetched.`,
  )
}
