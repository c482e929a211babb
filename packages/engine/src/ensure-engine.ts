import type { EngineCli } from './engine-cli.js'
import { type FetchEngineOptions, fetchAfter } from './fetch-engine.js'
import { cachedCli, type FindEngineOptions, searchEngine } from './find-engine.js'

export type EnsureEngineOptions = FindEngineOptions & FetchEngineOptions

/**
 * A usable Temporal CLI: found as by `findEngine`, else fetched as by `fetchEngine`.
 * @throws EngineError `cli-unusable` or `unobtainable`; the latter lists all that was looked at and tried.
 */
export async function ensureEngine(options: EnsureEngineOptions = {}): Promise<EngineCli> {
  const { cli, passedOver } = await searchEngine(options)
  for (const line of passedOver) options.onProgress?.(`Passed over: ${line}.`)
  const nothing = `there is no Temporal CLI in PATH or at ${cachedCli(options.cacheDir)}`
  return cli ?? (await fetchAfter(passedOver.length === 0 ? [nothing] : passedOver, options))
}
