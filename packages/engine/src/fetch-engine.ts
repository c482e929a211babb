import { chmod, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Environment } from './child-environment.js'
import { downloadCli, officialArchive, officialBaseUrl, pinnedCli } from './download-cli.js'
import { checkCli, type EngineCli, type EngineCliSource } from './engine-cli.js'
import { describeError, EngineError } from './engine-error.js'
import { cachedCli } from './find-engine.js'
import { goInstall, goInstallCommand } from './go-install.js'
import { programFile } from './on-path.js'
import { minimumServer } from './server-version.js'
import { sweepTemporary, temporaryBeside } from './temporary-place.js'

export interface FetchEngineOptions {
  /** Where the binary is kept. @default `~/.cache/moorage` */
  readonly cacheDir?: string | undefined
  /** Where `go` is looked for, from `PATH`. */
  readonly path?: string | undefined
  /** Environment of the processes that are started; `go` needs its proxy settings from it. @default only `HOME` */
  readonly env?: Environment | undefined
  /** Told what is being done, a line at a time. */
  readonly onProgress?: ((line: string) => void) | undefined
  /** A mirror of `https://temporal.download` with the same archives. */
  readonly baseUrl?: string | undefined
  /** SHA-256 of the archive, for a mirror that packs its own. @default that of the pinned release */
  readonly sha256?: string | undefined
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Longest wait for the download to answer. @default 10_000 */
  readonly connectTimeoutMs?: number | undefined
  /** Longest silence during the download. @default 20_000 */
  readonly idleTimeoutMs?: number | undefined
  /** Longest build with `go install`. @default 1_800_000 */
  readonly buildTimeoutMs?: number | undefined
  /** How often a running build is reported. @default 5_000 */
  readonly progressEveryMs?: number | undefined
}

/**
 * Fetches the pinned CLI into the cache folder: the official download, else `go install`. The file appears there whole and checked, or not at all;
 * two processes may fetch at once. There is no download for Windows here, only the build.
 * @throws EngineError `unobtainable`, which lists what was tried.
 */
export async function fetchEngine(options: FetchEngineOptions = {}): Promise<EngineCli> {
  return fetchAfter([], options)
}

/** `fetchEngine` whose error begins with what has been tried before. */
export async function fetchAfter(before: readonly string[], options: FetchEngineOptions): Promise<EngineCli> {
  const download = await tryDownload(options)
  if (typeof download !== 'string') return download
  options.onProgress?.(`No download: ${download}`)
  const packages = [`github.com/temporalio/cli/cmd/temporal@${pinnedCli}`]
  const build = await attempt('go install', options, async (workDir) => {
    const ldflags = `-s -w -X github.com/temporalio/cli/temporalcli.Version=${pinnedCli.replace(/^v/, '')}`
    await goInstall({ ...options, what: 'the Temporal CLI', packages, ldflags, workDir, timeoutMs: options.buildTimeoutMs })
    return join(workDir, programFile('temporal'))
  })
  if (typeof build !== 'string') return build
  throw new EngineError('unobtainable', unobtainable([...before, download, `${goInstallCommand(packages)}: ${build}`]))
}

async function tryDownload(options: FetchEngineOptions): Promise<EngineCli | string> {
  const archive = officialArchive(options.baseUrl ?? officialBaseUrl, process.platform, process.arch)
  if (archive === undefined)
    return `there is no archive of the Temporal CLI for ${process.platform}/${process.arch} that this can check and unpack`
  const outcome = await attempt('download', options, async (file) => {
    options.onProgress?.(`Downloading the Temporal CLI ${pinnedCli} from ${archive.url}`)
    await downloadCli({ ...archive, sha256: options.sha256 ?? archive.sha256 }, file, {
      fetch: options.fetch ?? globalThis.fetch,
      connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
      idleTimeoutMs: options.idleTimeoutMs ?? 20_000,
      onProgress: options.onProgress ?? ignore,
    })
    return file
  })
  return typeof outcome === 'string' ? `${archive.url}: ${outcome}` : outcome
}

/** Lets `make` put a binary at or below a temporary path, checks it and moves it into place; a sentence where that fails. */
async function attempt(
  source: EngineCliSource,
  options: FetchEngineOptions,
  make: (temporary: string) => Promise<string>,
): Promise<EngineCli | string> {
  const place = cachedCli(options.cacheDir)
  const temporary = temporaryBeside(place)
  try {
    await mkdir(dirname(place), { recursive: true })
    await sweepTemporary(place)
    const binary = await make(temporary)
    await chmod(binary, 0o755)
    const check = await checkCli(binary, options.env)
    if ('reason' in check) return `what was fetched ${check.reason}`
    await rename(binary, place)
    options.onProgress?.(`The Temporal CLI is in ${place} (server ${check.server}).`)
    return { path: place, server: check.server, source }
  } catch (error) {
    return describeError(error)
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

function unobtainable(tried: readonly string[]): string {
  return [
    `No Temporal CLI with server ${minimumServer} or newer was found or could be fetched:`,
    ...tried.map((line) => `  - ${line}`),
    'Do one of these: install the Temporal CLI (https://docs.temporal.io/cli), set TEMPORAL_CLI to the path of one, or set TEMPORAL_ADDRESS to a running server.',
  ].join('\n')
}

function ignore(): void {
  // Nobody listens.
}
