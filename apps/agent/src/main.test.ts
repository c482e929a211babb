import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkPort } from '@moorage/bootstrap'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from './temporary-folder.js'

const SOURCE = fileURLToPath(new URL('.', import.meta.url))

interface Program {
  readonly child: ChildProcess
  stdout(): string
  stderr(): string
  /** Resolves with the exit code. */
  readonly ended: Promise<number | null>
}

/** Runs the program from its source, with a Temporal server that is not there. */
async function run(env: Record<string, string>): Promise<Program> {
  const folder = await temporaryFolder()
  const TEMPORAL_ADDRESS = `127.0.0.1:${await checkPort('127.0.0.1', 0)}`
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), 'main.ts'], {
    cwd: SOURCE,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0', MOORAGE_DATA_DIR: folder, TEMPORAL_ADDRESS, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  return { child, stdout, stderr, ended: once(child, 'close').then(([code]) => code) }
}

function collect(stream: ChildProcess['stdout']): () => string {
  let text = ''
  stream?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  return () => text
}

async function served({ child, stdout, ended }: Program): Promise<void> {
  while (!stdout().includes('Try it')) {
    const more = child.stdout ? once(child.stdout, 'data') : ended
    if ((await Promise.race([more, ended])) === null || child.exitCode !== null) throw new Error('It ended before it served')
  }
}

describe('apps/agent', () => {
  it('says all that is wrong with its configuration, without a stack, and exits with 78', async () => {
    const program = await run({ PORT: 'http', LOG_LEVEL: 'loud' })
    expect(await program.ended).toBe(78)
    expect(program.stdout()).toBe('')
    expect(program.stderr()).toBe(
      `Moorage cannot start:
  - PORT must be a whole number from 0 to 65535; it is "http"
  - LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent; it is "loud"
`,
    )
  })

  it('says why an agent module gives no agent', async () => {
    const program = await run({ MOORAGE_AGENT: 'nothing.ts' })
    expect(await program.ended).toBe(78)
    expect(program.stderr()).toMatch(/^Moorage cannot start:\n {2}- MOORAGE_AGENT names .*nothing\.ts, which does not exist\./)
  })

  it('says that an agent module never finishes loading, also where the process that started it could yet say something', async () => {
    const path = join(await temporaryFolder(), 'agent.mjs')
    await writeFile(path, 'await new Promise(() => undefined)')
    const program = await run({ MOORAGE_AGENT: path })
    expect(await program.ended).toBe(78)
    expect(program.stderr()).toBe(
      `Moorage cannot start:\n  - MOORAGE_AGENT: ${path} did not finish loading: an await at its top level never settles\n`,
    )
  })

  it('prints where it serves, and stops in order at a signal', async () => {
    const program = await run({})
    await served(program)
    const url = /Agent Card +(\S+)/.exec(program.stdout())?.[1]
    expect((await fetch(String(url))).status).toBe(200)
    program.child.kill('SIGTERM')
    expect(await program.ended).toBe(0)
    expect(program.stderr()).toMatch(/"msg":"stopping"}\n(.*\n)*.*"msg":"stopped"}\n$/)
  })

  it('stops when the process that started it is gone', async () => {
    const program = await run({})
    await served(program)
    const exited = once(program.child, 'exit')
    program.child.disconnect()
    expect(await exited).toEqual([0, null])
  })

  it('stops also when that process has gone before it could look', async () => {
    const program = await run({})
    const exited = once(program.child, 'exit')
    program.child.disconnect()
    expect(await exited).toEqual([0, null])
  })

  it('logs one JSON object a line', async () => {
    const program = await run({ HOST: '0.0.0.0' })
    await served(program)
    program.child.kill('SIGINT')
    await program.ended
    const lines = program.stderr().trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(
      expect.arrayContaining([expect.stringContaining('no authentication'), 'serving']),
    )
  })
})
