import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { type EnsureServerOptions, ensureServer } from './ensure-server.js'

let folder: string
let cacheDir: string
let lines: string[]
const stop = new AbortController()

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moorage-cluster-'))
  cacheDir = join(folder, 'cache')
  lines = []
  return () => rm(folder, { recursive: true })
})

function program(version: string): string {
  return `#!/bin/sh\necho temporal version ${version}\n`
}

const BUILDS = 'cd "$(dirname "$0")" && cp server sql "$GOBIN"'

/** A `go` that says its version, and builds as the script says. */
async function withGo(build: string, { go = '1.26.8', server = '1.29.1' } = {}): Promise<EnsureServerOptions> {
  const bin = join(folder, 'bin')
  await mkdir(bin)
  await writeFile(
    join(bin, 'go'),
    `#!/bin/sh\nif [ "$1" = version ]; then echo go version go${go} linux/amd64; exit; fi\necho "$@" >> "${folder}/calls"\n${build}\n`,
  )
  await writeFile(join(bin, 'server'), program(server))
  await writeFile(join(bin, 'sql'), program('1.29.1'))
  for (const name of await readdir(bin)) await chmod(join(bin, name), 0o755)
  return options(`${bin}:/bin:/usr/bin`)
}

function options(path: string): EnsureServerOptions {
  return { cacheDir, env: { PATH: path }, signal: stop.signal, progressEveryMs: 20, onProgress: (line) => lines.push(line) }
}

async function calls(): Promise<readonly string[]> {
  return (await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n')
}

describe("Temporal's server", () => {
  it('is built once, with its schema tool, and says so meanwhile', async () => {
    const settings = await withGo(`echo go: downloading something >&2; sleep 0.2; ${BUILDS}`)
    const programs = await ensureServer(settings)
    expect(await ensureServer(settings)).toEqual(programs)
    expect(await readFile(programs.server, 'utf8')).toBe(program('1.29.1'))
    expect(await readFile(programs.schemaTool, 'utf8')).toBe(program('1.29.1'))
    expect(await calls()).toEqual([
      'install -v -ldflags -s -w go.temporal.io/server/cmd/server@v1.29.1 go.temporal.io/server/cmd/tools/sql@v1.29.1',
    ])
    expect(lines[0]).toMatch(/^Building Temporal's server 1\.29\.1 and its schema tool with Go; this takes some minutes/)
    expect(lines.some((line) => /\(\d+ s\): go: downloading something$/.test(line))).toBe(true)
    expect(await readdir(cacheDir)).toEqual(['temporal-server-1.29.1'])
  })

  it('may be built by two at once', async () => {
    const settings = await withGo(BUILDS)
    const [first, second] = await Promise.all([ensureServer(settings), ensureServer(settings)])
    expect(first).toEqual(second)
    expect(await readdir(cacheDir)).toEqual(['temporal-server-1.29.1'])
  })

  it('is built again where what is there does not work, and what a killed build has left is removed', async () => {
    const place = join(cacheDir, 'temporal-server-1.29.1')
    await mkdir(place, { recursive: true })
    await writeFile(join(place, 'server'), 'half')
    await mkdir(`${place}.999999999.left.tmp`)
    const { server } = await ensureServer(await withGo(BUILDS))
    expect(await readFile(server, 'utf8')).toBe(program('1.29.1'))
    expect(await readdir(cacheDir)).toEqual(['temporal-server-1.29.1'])
  })

  it.each([
    ['fails', 'echo no route to the proxy >&2; exit 1', {}, /failed with code 1\n\s+no route to the proxy/],
    ['makes another version', BUILDS, { server: '1.28.0' }, /cannot be used: .*server is not 1\.29\.1 but says: temporal version 1\.28\.0/],
    ['has too old a Go', BUILDS, { go: '1.24.9' }, /is Go 1\.24\.9, and 1\.25 or newer is needed/],
  ])('leaves nothing behind where the build %s', async (_, build, versions, reason) => {
    const settings = await withGo(build, versions)
    await expect(ensureServer(settings)).rejects.toThrow(reason)
    expect(await readdir(cacheDir)).toEqual([])
  })

  it('says what is needed where there is no Go', async () => {
    const error: unknown = await ensureServer(options('')).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'ClusterError' })
    expect((error as Error).message).toMatch(/there is no Go in PATH \(1\.25 or newer is needed\)\n.*https:\/\/go\.dev\/dl/)
  })

  it('is no longer built once the signal comes', async () => {
    const abort = new AbortController()
    const settings = await withGo('exec sleep 60')
    const building = ensureServer({ ...settings, signal: abort.signal, onProgress: () => abort.abort() })
    await expect(building).rejects.toMatchObject({ name: 'AbortError' })
    expect(await readdir(cacheDir)).toEqual([])
  })
})
