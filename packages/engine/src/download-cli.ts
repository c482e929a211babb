import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { createGunzip } from 'node:zlib'
import { programFile } from './on-path.js'
import { readTarMember } from './tar-member.js'

/** The release of the Temporal CLI that is fetched; later ones cannot be built with `go install`. */
export const pinnedCli = 'v1.5.1'

/** Temporal's own download site. */
export const officialBaseUrl = 'https://temporal.download'

/** SHA-256 of the release's archives, as in `checksums.txt` of https://github.com/temporalio/cli/releases/tag/v1.5.1. */
const pinnedSha256: Readonly<Record<string, string>> = {
  'linux/amd64': 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d',
  'linux/arm64': 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5',
  'darwin/amd64': 'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9',
  'darwin/arm64': 'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415',
}

/** An archive to download, with the digest it must have. */
export interface CliArchive {
  readonly url: string
  readonly sha256: string
}

export interface DownloadOptions {
  readonly fetch: typeof globalThis.fetch
  /** Longest wait for the response to begin. */
  readonly connectTimeoutMs: number
  /** Longest wait between two pieces of the body. */
  readonly idleTimeoutMs: number
  readonly onProgress: (line: string) => void
}

/** The official archive for a platform; undefined where Temporal publishes no tar.gz for it that is pinned here (as for Windows). */
export function officialArchive(baseUrl: string, platform: string, arch: string): CliArchive | undefined {
  const goArch = arch === 'x64' ? 'amd64' : arch
  const sha256 = pinnedSha256[`${platform}/${goArch}`]
  if (sha256 === undefined) return undefined
  const base = baseUrl.replace(/\/+$/, '')
  return { url: `${base}/cli/archive/${pinnedCli}?platform=${platform}&arch=${goArch}`, sha256 }
}

/**
 * Downloads an archive and writes its `temporal` to `file`. When it resolves, the file is complete and the archive had the expected digest; what a
 * failed one leaves behind is the caller's to remove.
 */
export async function downloadCli(archive: CliArchive, file: string, options: DownloadOptions): Promise<void> {
  const abort = new AbortController()
  const silence = (ms: number, what: string) => setTimeout(() => abort.abort(new Error(`${what} within ${ms / 1000} s`)), ms)
  let timer = silence(options.connectTimeoutMs, 'no answer')
  const alive = () => {
    clearTimeout(timer)
    timer = silence(options.idleTimeoutMs, 'the download stalled: nothing came')
  }
  try {
    const response = await options.fetch(archive.url, { signal: abort.signal })
    if (!response.ok) throw new Error(`HTTP ${response.status} ${response.statusText}`.trimEnd())
    if (response.body === null) throw new Error('the response has no body')
    const progress = percentReporter(Number(response.headers.get('content-length')), options.onProgress)
    const hash = createHash('sha256')
    const metered = meter(response.body as ReadableStream<Uint8Array>, (chunk) => {
      alive()
      hash.update(chunk)
      progress(chunk.length)
    })
    alive()
    await unpack(metered, file)
    const digest = hash.digest('hex')
    if (digest !== archive.sha256) throw new Error(`the archive's SHA-256 is ${digest}, and ${archive.sha256} was expected`)
  } catch (error) {
    // An abort shows as "This operation was aborted" somewhere down the stream; its reason is what happened.
    throw abort.signal.aborted ? abort.signal.reason : error
  } finally {
    clearTimeout(timer)
    // Also ends the connection where the archive was given up half-way.
    abort.abort()
  }
}

async function unpack(archive: AsyncIterable<Uint8Array>, file: string): Promise<void> {
  const output = await open(file, 'wx', 0o700)
  try {
    const member = programFile('temporal')
    const found = await pipeline(archive, createGunzip(), (tar: AsyncIterable<Uint8Array>) =>
      readTarMember(tar, member, (chunk) => output.writeFile(chunk)),
    )
    if (!found) throw new Error(`the archive has no file named ${member}`)
    await output.sync()
  } finally {
    await output.close()
  }
}

async function* meter(source: AsyncIterable<Uint8Array>, count: (chunk: Uint8Array) => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    count(chunk)
    yield chunk
  }
}

/** Reports each tenth of the download, or every 10 MB where its size is unknown. */
function percentReporter(total: number, onProgress: (line: string) => void): (bytes: number) => void {
  const step = total > 0 ? total / 10 : 10_000_000
  let received = 0
  let reported = 0
  return (bytes) => {
    received += bytes
    const steps = Math.floor(received / step)
    if (steps <= reported) return
    reported = steps
    onProgress(`Downloading the Temporal CLI: ${total > 0 ? `${steps * 10} %` : `${steps * 10} MB`}`)
  }
}
