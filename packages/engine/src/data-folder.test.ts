import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { claimDataFolder, DataFolderTakenError, findDataFolderOwner } from './data-folder.js'
import { identifySelf } from './process-identity.js'

const built = new URL('../dist/index.js', import.meta.url).href

describe('claimDataFolder', () => {
  let dir: string
  let file: string

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'engine-folder-'))
    file = join(dir, 'owner.json')
  })
  afterEach(() => rm(dir, { recursive: true, force: true }))

  const dead = (id: string) => JSON.stringify({ id, owner: { pid: 999_999_999, start: '1' }, since: '2026-01-01T00:00:00.000Z' })

  it('creates the folder, says who owns it, and lets it go', async () => {
    const now = () => new Date('2026-11-30T10:00:00Z')
    const claim = await claimDataFolder(join(dir, 'new'), { url: 'http://127.0.0.1:41241', now })
    const content = JSON.parse(await readFile(join(dir, 'new', 'owner.json'), 'utf8')) as unknown
    expect(content).toMatchObject({ owner: await identifySelf(), url: 'http://127.0.0.1:41241', since: '2026-11-30T10:00:00.000Z' })
    await claim.release()
    expect(await readdir(join(dir, 'new'))).toEqual([])
  })

  it.skipIf(process.platform === 'win32')('makes the folder for its owner alone, unless it is told otherwise', async () => {
    const modeOf = async (name: string) => (await stat(join(dir, name))).mode & 0o777
    await (await claimDataFolder(join(dir, 'own'))).release()
    await (await claimDataFolder(join(dir, 'reached'), { mode: 0o711 })).release()
    expect([await modeOf('own'), await modeOf('reached')]).toEqual([0o700, 0o711])
  })

  it('refuses a second owner and names the first', async () => {
    const claim = await claimDataFolder(dir)
    await claim.announce('http://127.0.0.1:8080')
    const error = await claimDataFolder(dir).catch((e: unknown) => e)
    expect(error).toBeInstanceOf(DataFolderTakenError)
    expect(error).toMatchObject({ dir, pid: process.pid, url: 'http://127.0.0.1:8080' })
    expect((error as Error).message).toContain(`by process ${process.pid}, which serves http://127.0.0.1:8080`)
  })

  it('tells whoever asks who owns the folder, while that process lives', async () => {
    expect(await findDataFolderOwner(dir)).toBeUndefined()
    const claim = await claimDataFolder(dir)
    expect(await findDataFolderOwner(dir)).toEqual({ pid: process.pid, url: undefined })
    await claim.announce('http://127.0.0.1:8080')
    expect(await findDataFolderOwner(dir)).toEqual({ pid: process.pid, url: 'http://127.0.0.1:8080' })
    await claim.release()
    await writeFile(file, dead('gone'))
    expect(await findDataFolderOwner(dir)).toBeUndefined()
  })

  it.each([
    ['a process that is gone', dead('gone')],
    ['a process whose pid is now another one', dead('reused').replace('999999999', String(process.pid))],
    ['nobody, since the file is empty', ''],
    ['nobody, since the file is something else', '{"pid":1}'],
  ])('takes over from %s', async (_, content) => {
    await writeFile(file, content)
    const claim = await claimDataFolder(dir)
    await expect(claimDataFolder(dir)).rejects.toThrow(DataFolderTakenError)
    expect(await readdir(dir)).toEqual(['owner.json'])
    await claim.release()
    expect(await readdir(dir)).toEqual([])
  })

  it('takes over where the one that was taking over died in the middle', async () => {
    await writeFile(file, dead('first'))
    await writeFile(`${file}.first.taken`, dead('second'))
    await writeFile(`${file}.second.taken`, dead('third'))
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => claimDataFolder(dir)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await readdir(dir)).toEqual(['owner.json'])
  })

  it.each([
    ['a free', undefined],
    ['an abandoned', dead('gone')],
  ])('gives %s folder to exactly one of many at once', async (_, content) => {
    for (let round = 0; round < 20; round++) {
      if (content !== undefined) await writeFile(file, content)
      const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => claimDataFolder(dir)))
      const won = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
      expect(won).toHaveLength(1)
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(DataFolderTakenError)
      }
      await won[0]?.release()
      expect(await readdir(dir)).toEqual([])
    }
  })

  it('gives an abandoned folder to exactly one of several processes', async () => {
    await writeFile(file, dead('gone'))
    const script = `
      import { claimDataFolder } from ${JSON.stringify(built)}
      process.stdin.once('data', async () => {
        process.stdout.write(await claimDataFolder(${JSON.stringify(dir)}).then(() => 'won', (error) => error.name))
        process.stdin.on('end', () => process.exit())
      })
      process.stderr.write('ready')`
    const children = Array.from({ length: 4 }, () => spawn(process.execPath, ['--input-type=module', '-e', script]))
    await Promise.all(children.map((child) => new Promise((resolve) => child.stderr.once('data', resolve))))
    const firstWords = children.map(
      (child) => new Promise<string>((resolve) => child.stdout.once('data', (data: Buffer) => resolve(data.toString()))),
    )
    const ends = children.map((child) => text(child.stdout))
    for (const child of children) child.stdin.write('go')
    const outcomes = await Promise.all(firstWords)
    for (const child of children) child.stdin.end()
    await Promise.all(ends)
    expect(outcomes.sort()).toEqual(['DataFolderTakenError', 'DataFolderTakenError', 'DataFolderTakenError', 'won'])
  })
})
