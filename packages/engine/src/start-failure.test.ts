import { access, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useEngines } from './engine-test.js'
import { isServing } from './health.js'
import { identifyProcess } from './process-identity.js'
import { type StartEngineOptions, startEngine } from './start-engine.js'

const on = useEngines()

describe('an engine that cannot start', () => {
  const startError = (options: Partial<StartEngineOptions> = {}) =>
    startEngine({ cli: on.cli, dataDir: on.dataDir, ...options }).then(
      () => new Error('it started'),
      (error: Error) => error,
    )

  async function writeDatabase(content: string, record: object | undefined): Promise<void> {
    await mkdir(on.dataDir)
    await writeFile(join(on.dataDir, 'temporal.db'), content)
    if (record !== undefined) await writeFile(join(on.dataDir, 'temporal.db.json'), JSON.stringify(record))
  }

  it('says who has the port that was asked for', async () => {
    const occupant = createServer()
    await new Promise<void>((resolve) => occupant.listen(0, '127.0.0.1', resolve))
    const { port } = occupant.address() as AddressInfo
    expect((await startError({ port })).message).toContain(`Port ${port} on 127.0.0.1 is taken by`)
    occupant.close()
  })

  it('tries another port where its own is taken in the last moment', async () => {
    const flag = join(on.dir, 'flag')
    const busy = 'listen tcp 127.0.0.1: bind: address already in use'
    const once = `if [ ! -e '${flag}' ]; then : > '${flag}'; echo '${busy}' >&2; exit 1; fi`
    const engine = await on.start({ cli: await on.fake(`${once}\nexec '${on.cli.path}' "$@"`) })
    await access(flag)
    expect(await isServing(engine.port)).toBe(true)
  })

  it('shows the last lines of a server that ends at once', async () => {
    const error = await startError({ cli: await on.fake('echo "bad flag: --headless" >&2; exit 1') })
    expect(error).toMatchObject({ name: 'EngineError', code: 'start-failed' })
    expect(error.message).toMatch(
      /did not start: it ended with code 1\.\n.*command: .*start-dev(.|\n)*bad flag: --headless\nRun the command/,
    )
    expect(await readdir(on.dataDir)).toEqual([])
  })

  it('gives up on a server that does not answer, and leaves nothing running', async () => {
    const pidFile = join(on.dir, 'pid')
    const hanging = await on.fake(`echo $$ > '${pidFile}'; exec sleep 60`)
    expect((await startError({ cli: hanging, readyTimeoutMs: 500 })).message).toContain('it did not answer within 0.5 s')
    expect(await identifyProcess(Number(await readFile(pidFile, 'utf8')))).toBeUndefined()
  })

  it('says that the binary cannot be run', async () => {
    const error = await startError({ cli: { ...on.cli, path: join(on.dir, 'missing') } })
    expect(error.message).toMatch(/did not start: spawn .*missing ENOENT/)
  })

  it('says that the database is damaged, and how to go on', async () => {
    await writeDatabase('this is no database '.repeat(1_000), { server: on.cli.server, port: 20_123, retentionHours: 72 })
    expect((await startError()).message).toMatch(/damaged: move .*temporal\.db and its -wal away/)
  })

  it('refuses a database that a newer server has used, and asks for a newer CLI', async () => {
    await writeDatabase('', { server: '9.1.0', port: 20_123, retentionHours: 72 })
    const error = await startError()
    expect(error).toMatchObject({ code: 'database-newer' })
    expect(error.message).toMatch(/was last used by Temporal server 9\.1\.0.*Set TEMPORAL_CLI to a CLI with server 9\.1\.0 or newer/)
  })

  it('sets a database aside that no start has completed', async () => {
    await writeDatabase('', undefined)
    const lines: string[] = []
    const engine = await on.start({ onProgress: (line) => lines.push(line) })
    expect(await isServing(engine.port)).toBe(true)
    expect(lines.join()).toContain('temporal.db was never completed; it is set aside')
    await access(join(on.dataDir, 'temporal.db.unfinished'))
  })

  it.each([
    [{ dataDir: '/tmp/a?b' }, 'dataDir must not contain'],
    [{ port: 70_000 }, 'port must be a whole number from 1 to 65535'],
    [{ retentionHours: 0.5 }, 'retentionHours must be a whole number'],
  ])('refuses the options %o', async (options, message) => {
    expect((await startError(options)).message).toContain(message)
  })
})
