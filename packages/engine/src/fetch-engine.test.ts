import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ensureEngine } from './ensure-engine.js'
import { type FetchEngineOptions, fetchEngine } from './fetch-engine.js'

const goodCli = "#!/bin/sh\necho 'temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)'\n"
const oldCli = "#!/bin/sh\necho 'temporal version 1.0.0 (Server 1.24.0, UI 2.30.0)'\n"

function tar(files: Readonly<Record<string, string>>): Buffer {
  const blocks = Object.entries(files).flatMap(([name, content]) => {
    const header = Buffer.alloc(512)
    header.write(name, 0)
    header.write(content.length.toString(8).padStart(11, '0'), 124)
    header.write('0', 156)
    header.write('ustar', 257)
    return [header, Buffer.from(content), Buffer.alloc((512 - (content.length % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

describe('fetchEngine', () => {
  let dir: string
  let cacheDir: string
  let server: Server | undefined
  const lines: string[] = []

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'engine-fetch-'))
    cacheDir = join(dir, 'cache')
    lines.length = 0
  })
  afterEach(async () => {
    server?.closeAllConnections()
    server?.close()
    server = undefined
    await rm(dir, { recursive: true, force: true })
  })

  async function serve(listener: RequestListener): Promise<FetchEngineOptions> {
    server = createServer(listener)
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const onProgress = (line: string) => lines.push(line)
    return { cacheDir, path: '', onProgress, baseUrl: `http://127.0.0.1:${port}/` }
  }

  const archive = gzipSync(tar({ LICENSE: 'MIT', temporal: goodCli }))

  async function fakeGo(script: string): Promise<string> {
    const folder = join(dir, 'go')
    await mkdir(folder)
    await writeFile(join(folder, 'go'), `#!/bin/sh\n${script}`)
    await chmod(join(folder, 'go'), 0o755)
    return `${folder}:/bin:/usr/bin`
  }

  it('downloads the pinned release for this platform, checks it and puts it in place', async () => {
    let url: string | undefined
    const options = await serve((request, response) => {
      url = request.url
      response.setHeader('content-length', archive.length)
      response.end(archive)
    })
    const cli = await fetchEngine({ ...options, sha256: sha256(archive) })
    expect(cli).toEqual({ path: join(cacheDir, 'temporal'), server: '1.29.1', source: 'download' })
    expect(url).toMatch(/^\/cli\/archive\/v1\.5\.1\?platform=\w+&arch=(amd64|arm64)$/)
    expect(await readFile(cli.path, 'utf8')).toBe(goodCli)
    expect(await readdir(cacheDir)).toEqual(['temporal'])
    expect(lines).toContain('Downloading the Temporal CLI: 100 %')
  })

  it('lets two fetch at once, and removes what a killed one has left', async () => {
    const options = await serve((_, response) => response.end(archive))
    await mkdir(cacheDir)
    const abandoned = join(cacheDir, 'temporal.999999999.left.tmp')
    await writeFile(abandoned, 'half')
    const [first, second] = await Promise.all([1, 2].map(() => fetchEngine({ ...options, sha256: sha256(archive) })))
    expect(first).toEqual(second)
    expect(await readdir(cacheDir)).toEqual(['temporal'])
  })

  const without = gzipSync(tar({ LICENSE: 'MIT', 'temporal/README': 'x' }))
  const old = gzipSync(tar({ temporal: oldCli }))
  const torn = gzipSync(tar({ temporal: goodCli }).subarray(0, 560))
  const text = gzipSync('this is no tar archive, however long it may be. '.repeat(30))
  const silent: RequestListener = () => undefined
  const stalling: RequestListener = (_, response) => {
    response.setHeader('content-length', archive.length)
    response.write(archive.subarray(0, 100))
  }
  const cases: readonly (readonly [string, RequestListener, string | undefined, RegExp])[] = [
    ['an answer of 404', (_, response) => response.writeHead(404).end('no'), undefined, /HTTP 404 Not Found/],
    [
      'a body that ends early',
      (_, response) => {
        response.setHeader('content-length', archive.length)
        response.write(archive.subarray(0, archive.length - 20), () => response.socket?.end())
      },
      undefined,
      /terminated|other side closed|aborted/,
    ],
    [
      'a connection that is reset half-way',
      (_, response) => {
        response.setHeader('content-length', archive.length)
        response.write(archive.subarray(0, 100), () => response.socket?.resetAndDestroy())
      },
      undefined,
      /terminated|ECONNRESET/,
    ],
    [
      'a body that is cut but complete for HTTP',
      (_, response) => response.end(archive.subarray(0, 100)),
      undefined,
      /unexpected end of file/,
    ],
    ['an archive that is garbage', (_, response) => response.end('<html>portal</html>'), undefined, /incorrect header check/],
    ['an archive that is no tar', (_, response) => response.end(text), undefined, /no tar archive/],
    ['an archive that ends inside the binary', (_, response) => response.end(torn), undefined, /ends inside an entry/],
    ['an archive without the binary', (_, response) => response.end(without), undefined, /has no file named temporal/],
    ['another archive than the pinned one', (_, response) => response.end(archive), undefined, /SHA-256 is .* was expected/],
    ['a binary that is too old', (_, response) => response.end(old), sha256(old), /has Temporal server 1\.24\.0/],
    ['a server that never answers', silent, undefined, /no answer within 0\.3 s/],
    ['a download that stalls', stalling, undefined, /the download stalled: nothing came within 0\.3 s/],
  ]

  it.each(cases)('refuses %s, and leaves nothing behind', async (_, listener, digest, reason) => {
    const options = await serve(listener)
    const limits = { connectTimeoutMs: listener === silent ? 300 : undefined, idleTimeoutMs: listener === stalling ? 300 : undefined }
    const error = await fetchEngine({ ...options, ...limits, sha256: digest }).catch((e: unknown) => e)
    expect(error).toMatchObject({ name: 'EngineError', code: 'unobtainable' })
    const { message } = error as Error
    expect(message.split('\n').find((line) => line.includes('/cli/archive/'))).toMatch(reason)
    expect(message).toMatch(/go install .*: there is no Go in PATH \(1\.25 or newer is needed\)/)
    expect(await readdir(cacheDir)).toEqual([])
  })

  it('says that a host cannot be reached, and does not wait', async () => {
    const options = await serve(() => undefined)
    server?.close()
    await expect(fetchEngine({ ...options, connectTimeoutMs: 60_000 })).rejects.toThrow(/fetch failed.*ECONNREFUSED/)
  })

  it('keeps the file that is in place when a later fetch fails', async () => {
    const options = await serve((_, response) => response.end('garbage'))
    await mkdir(cacheDir)
    await writeFile(join(cacheDir, 'temporal'), goodCli)
    await expect(fetchEngine(options)).rejects.toThrow('No Temporal CLI')
    expect(await readFile(join(cacheDir, 'temporal'), 'utf8')).toBe(goodCli)
  })

  it('builds with Go where there is no download, and reports while it does', async () => {
    const options = await serve((_, response) => response.writeHead(503).end())
    const path = await fakeGo(`
      if [ "$1" = version ]; then echo 'go version go1.26.1 linux/amd64'; exit; fi
      echo "go: downloading something v1" >&2
      sleep 0.3
      printf '%s' "$*" > '${dir}/arguments'
      cp '${dir}/built' "$GOBIN/temporal"`)
    await writeFile(join(dir, 'built'), goodCli)
    const cli = await fetchEngine({ ...options, path, progressEveryMs: 50 })
    expect(cli).toEqual({ path: join(cacheDir, 'temporal'), server: '1.29.1', source: 'go install' })
    expect(await readFile(join(dir, 'arguments'), 'utf8')).toMatch(
      /^install -v -ldflags -s -w .* github\.com\/temporalio\/cli\/cmd\/temporal@v1\.5\.1$/,
    )
    expect(lines.some((line) => /^Building .* \(\d+ s\): go: downloading something v1$/.test(line))).toBe(true)
    expect(await readdir(cacheDir)).toEqual(['temporal'])
  })

  it.each([
    ['a Go that is too old', 'echo "go version go1.24.9 linux/amd64"', /is Go 1\.24\.9, and 1\.25 or newer is needed/],
    [
      'a build that fails',
      'if [ "$1" = version ]; then echo "go version go1.25 linux/amd64"; exit; fi\necho "dial tcp: lookup proxy.golang.org" >&2\nexit 1',
      /failed with code 1\n\s+dial tcp: lookup proxy\.golang\.org/,
    ],
    [
      'a build that takes too long',
      'if [ "$1" = version ]; then echo "go version go1.25 linux/amd64"; exit; fi\nexec sleep 60',
      /was ended after/,
    ],
    ['a build without a result', 'echo "go version go1.25 linux/amd64"', /ENOENT/],
  ])('says what is wrong with %s', async (_, script, reason) => {
    const options = await serve((_request, response) => response.writeHead(503).end())
    const path = await fakeGo(script)
    const buildTimeoutMs = script.includes('sleep') ? 500 : undefined
    await expect(fetchEngine({ ...options, path, buildTimeoutMs })).rejects.toThrow(reason)
    expect(await readdir(cacheDir)).toEqual([])
  })

  it('names the folder it cannot write', async () => {
    const options = await serve((_, response) => response.end(archive))
    await writeFile(join(dir, 'file'), '')
    await expect(fetchEngine({ ...options, cacheDir: join(dir, 'file', 'cache') })).rejects.toThrow(/ENOTDIR.*file/)
  })

  describe('ensureEngine', () => {
    it('fetches where nothing is found, and finds that the next time', async () => {
      const options = await serve((_, response) => response.end(archive))
      expect(await ensureEngine({ ...options, sha256: sha256(archive) })).toMatchObject({ source: 'download' })
      expect(await ensureEngine(options)).toMatchObject({ source: 'cache' })
    })

    it('lists all it looked at and tried, and what to do', async () => {
      const options = await serve((_, response) => response.writeHead(404).end())
      await mkdir(cacheDir)
      await writeFile(join(cacheDir, 'temporal'), oldCli, { mode: 0o755 })
      const error = await ensureEngine(options).catch((e: unknown) => e)
      const message = (error as Error).message
      expect(message).toContain(`  - ${join(cacheDir, 'temporal')} (cache) has Temporal server 1.24.0`)
      expect(message).toContain('HTTP 404')
      expect(message).toContain('go install github.com/temporalio/cli/cmd/temporal@v1.5.1')
      expect(message).toMatch(/install the Temporal CLI .* set TEMPORAL_CLI .* set TEMPORAL_ADDRESS/)
    })
  })
})
