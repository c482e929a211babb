/**
 * What suites that run the real server share: a folder for each test, engines that are stopped and processes that are ended after it.
 * @module
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterEach, beforeAll, beforeEach, vi } from 'vitest'
import type { EngineCli } from './engine-cli.js'
import type { EngineRecord } from './engine-record.js'
import { ensureEngine } from './ensure-engine.js'
import { cacheFolder } from './find-engine.js'
import { type Engine, type StartEngineOptions, startEngine } from './start-engine.js'

/** Another process that has an engine on the test's folder. */
export interface Parent {
  readonly child: ChildProcess
  readonly address: string
  /** Process id of its server. */
  readonly pid: number
  /** The next line that it prints. */
  next(): Promise<string>
}

const built = new URL('../dist/index.js', import.meta.url).href

/** The folders and processes of one test after the other. */
export class EngineTest {
  cli: EngineCli = { path: '', server: '', source: 'PATH' }
  dir = ''
  readonly #engines: Engine[] = []
  readonly #parents: ChildProcess[] = []

  /** A folder below `dir`, not created. */
  get dataDir(): string {
    return join(this.dir, 'data')
  }

  async start(options: Partial<StartEngineOptions> = {}): Promise<Engine> {
    const engine = await startEngine({ cli: this.cli, dataDir: this.dataDir, ...options })
    this.#engines.push(engine)
    return engine
  }

  /** Starts an engine in another process, runs that script with `engine` in scope, and resolves when both is done. */
  async startParent(script: string): Promise<Parent> {
    const source = `import { startEngine } from ${JSON.stringify(built)}
      const engine = await startEngine(${JSON.stringify({ cli: this.cli, dataDir: this.dataDir })})
      ${script}
      console.log(JSON.stringify({ address: engine.address, pid: engine.pid }))`
    // Detached: a group of its own, as a shell gives to what runs in the foreground.
    const child = spawn(process.execPath, ['--input-type=module', '-e', source], { detached: true, stdio: ['pipe', 'pipe', 'ignore'] })
    this.#parents.push(child)
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const next = async (): Promise<string> => String((await lines.next()).value)
    return { child, next, ...(JSON.parse(await next()) as { address: string; pid: number }) }
  }

  /** Runs the CLI against an engine and returns its JSON. */
  async temporal(engine: { readonly address: string }, ...args: readonly string[]): Promise<string> {
    const target = ['--address', engine.address, '-o', 'json', '--disable-config-env']
    return (await promisify(execFile)(this.cli.path, [...args, ...target])).stdout
  }

  async engineJson(): Promise<EngineRecord> {
    return JSON.parse(await readFile(join(this.dataDir, 'engine.json'), 'utf8')) as EngineRecord
  }

  /** A CLI that is this shell script. */
  async fake(script: string): Promise<EngineCli> {
    const path = join(this.dir, 'temporal')
    await writeFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    return { ...this.cli, path }
  }

  async cleanUp(): Promise<void> {
    for (const parent of this.#parents.splice(0)) parent.kill('SIGKILL')
    await Promise.all(this.#engines.splice(0).map((engine) => engine.stop()))
    await rm(this.dir, { recursive: true, force: true })
  }
}

/** Registers the hooks; the CLI is the one of `TEMPORAL_CLI`, `PATH` or the cache, and is fetched where there is none. */
export function useEngines(): EngineTest {
  vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
  const test = new EngineTest()
  beforeAll(async () => {
    const { TEMPORAL_CLI, PATH, XDG_CACHE_HOME } = process.env
    test.cli = await ensureEngine({ cli: TEMPORAL_CLI, path: PATH, cacheDir: cacheFolder(XDG_CACHE_HOME), env: process.env })
  }, 1_800_000)
  beforeEach(async () => {
    test.dir = await mkdtemp(join(tmpdir(), 'engine test-'))
  })
  afterEach(() => test.cleanUp())
  return test
}
