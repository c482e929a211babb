import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cacheFolder, findEngine } from './find-engine.js'

describe('findEngine', () => {
  let dir: string

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'engine-find-'))
  })
  afterAll(() => rm(dir, { recursive: true, force: true }))

  async function program(folder: string, script: string): Promise<string> {
    await mkdir(join(dir, folder), { recursive: true })
    await writeFile(join(dir, folder, 'temporal'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    return join(dir, folder, 'temporal')
  }
  const printing = (server: string) => `echo 'temporal version 1.5.1 (Server ${server}, UI 2.42.1)'`

  it('takes the CLI that TEMPORAL_CLI names before any other', async () => {
    const cli = await program('named', printing('1.29.1'))
    const other = await program('other', printing('1.30.0'))
    const found = await findEngine({ cli, path: join(other, '..'), cacheDir: join(dir, 'none') })
    expect(found).toEqual({ path: cli, server: '1.29.1', source: 'TEMPORAL_CLI' })
  })

  it('refuses a named CLI that is missing, too old or something else, and says which', async () => {
    const missing = join(dir, 'missing', 'temporal')
    await expect(findEngine({ cli: missing })).rejects.toThrow(`TEMPORAL_CLI names ${missing}, which does not exist`)
    const old = await program('old', printing('1.28.2'))
    await expect(findEngine({ cli: old })).rejects.toThrow(`${old}, which has Temporal server 1.28.2, and 1.29.0 or newer is needed`)
    const cat = await program('cat', 'echo meow')
    await expect(findEngine({ cli: cat })).rejects.toThrow('is no Temporal CLI (it printed "meow")')
    const broken = await program('broken', 'no-such-command')
    const sentence = 'is no Temporal CLI (asked for its --version, it ended with code 127). Point it at'
    await expect(findEngine({ cli: broken })).rejects.toThrow(sentence)
    const text = join(dir, 'text')
    await writeFile(text, 'text')
    await expect(findEngine({ cli: text })).rejects.toMatchObject({ name: 'EngineError', code: 'cli-unusable' })
  })

  it('passes over what is too old on the path, tells of it, and goes on', async () => {
    const old = await program('path-old', printing('1.24.0'))
    const good = await program('path-good', printing('1.29.0'))
    const lines: string[] = []
    const path = [join(old, '..'), join(dir, 'no-such-folder'), join(good, '..')].join(delimiter)
    const found = await findEngine({ path, cacheDir: join(dir, 'none'), onProgress: (line) => lines.push(line) })
    expect(found).toEqual({ path: good, server: '1.29.0', source: 'PATH' })
    expect(lines).toEqual([`Passed over: ${old} (PATH) has Temporal server 1.24.0, and 1.29.0 or newer is needed.`])
  })

  it('looks in the cache folder last, and finds nothing where there is nothing', async () => {
    const cached = await program('cache', printing('1.29.1'))
    const found = await findEngine({ cli: '', path: '', cacheDir: join(dir, 'cache') })
    expect(found).toEqual({ path: cached, server: '1.29.1', source: 'cache' })
    expect(await findEngine({ path: '', cacheDir: join(dir, 'none') })).toBeUndefined()
  })
})

describe('cacheFolder', () => {
  it('is below XDG_CACHE_HOME where that is set', () => {
    expect(cacheFolder('/x')).toBe(join('/x', 'moorage'))
    expect(cacheFolder('')).toMatch(/[\\/]\.cache[\\/]moorage$/)
  })
})
