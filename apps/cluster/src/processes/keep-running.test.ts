import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type KeptProcess, keepRunning, type ProcessEvent } from './keep-running.js'
import { type StartNodeOptions, startNode } from './start-node.js'

/** Serves at PORT, says so, and stops when it is told to, as both apps do. */
const PROGRAM = `
  const { createServer } = require('node:http')
  process.on('SIGTERM', () => { console.log('stopped in order'); process.exit(0) })
  process.once('disconnect', () => process.exit(0))
  createServer((request, response) => response.end()).listen(process.env.PORT, '127.0.0.1', () => console.log('serves'))`

const never = new AbortController().signal
let folder: string
let events: ProcessEvent[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moorage-cluster-'))
  events = []
  return () => rm(folder, { recursive: true })
})

async function program(source: string): Promise<StartNodeOptions> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  const file = join(folder, 'program.cjs')
  await writeFile(file, source)
  const env = { PORT: String(port) }
  const readyUrl = `http://127.0.0.1:${port}/readyz`
  return { name: 'program', file, cwd: folder, env, logFile: join(folder, 'program.log'), readyUrl, graceMs: 5_000 }
}

/** Waits until that many events have come. */
async function keep(options: StartNodeOptions, count: number): Promise<{ kept: KeptProcess; enough: Promise<void> }> {
  const { promise: enough, resolve } = withResolvers()
  const onEvent = (event: ProcessEvent) => {
    events.push(event)
    if (events.length >= count) resolve()
  }
  const kept = await keepRunning({ name: 'program', start: (signal) => startNode(options, signal), onEvent, delayMs: 10 }, never)
  onTestFinished(() => kept.stop())
  return { kept, enough }
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('a process that is kept running', () => {
  it('is started again when it was killed, and tells each time', async () => {
    const { kept, enough } = await keep(await program(PROGRAM), 3)
    const first = kept.pid() ?? 0
    process.kill(first, 'SIGKILL')
    await enough
    expect(events).toMatchObject([
      { kind: 'up', name: 'program', pid: first, starts: 1 },
      { kind: 'down', pid: first, how: 'by SIGKILL' },
      { kind: 'up', pid: kept.pid(), starts: 2 },
    ])
    expect(kept.pid()).not.toBe(first)
  })

  it('is tried again where it does not come up, with what it said', async () => {
    const options = await program(PROGRAM)
    const { kept, enough } = await keep(options, 4)
    await writeFile(options.file, 'console.error("a reason"); process.exit(3)')
    process.kill(kept.pid() ?? 0, 'SIGKILL')
    await enough
    expect(events.slice(1)).toMatchObject([{ kind: 'down' }, { kind: 'failed' }, { kind: 'failed' }])
    expect(events[2]).toMatchObject({ reason: expect.stringMatching(/^program ended with code 3 before it served/) as string })
    expect(events[2]).toMatchObject({ reason: expect.stringMatching(/^ {2}a reason$/m) as string })
    await kept.stop()
  })

  it('ends in order when it is stopped, and stays away', async () => {
    const options = await program(PROGRAM)
    const { kept } = await keep(options, 1)
    const pid = kept.pid() ?? 0
    await kept.stop()
    expect([isAlive(pid), kept.pid(), events.length]).toEqual([false, undefined, 1])
    expect(await readFile(options.logFile, 'utf8')).toBe('serves\nstopped in order\n')
  })

  it('is killed where it does not end in order', async () => {
    const stubborn = PROGRAM.replace("console.log('stopped in order'); process.exit(0)", '')
    const { kept } = await keep({ ...(await program(stubborn)), graceMs: 50 }, 1)
    const pid = kept.pid() ?? 0
    await kept.stop()
    expect(isAlive(pid)).toBe(false)
  })
})

describe('the first start of a process', () => {
  it('fails with the end of its log where it ends before it serves', async () => {
    const options = await program('console.error("no such agent"); process.exit(78)')
    await expect(startNode(options, never)).rejects.toThrow(/^program ended with code 78 before it served\. .*\n {2}no such agent/)
  })

  it('fails where it does not serve in time, and leaves nothing behind', async () => {
    const options = { ...(await program('console.log(process.pid); setInterval(() => {}, 1000)')), readyTimeoutMs: 500 }
    await expect(startNode(options, never)).rejects.toThrow(/^program did not answer 200 at .* within 0\.5 s/)
    expect(isAlive(Number(await readFile(options.logFile, 'utf8')))).toBe(false)
  })

  it('ends with the signal, and leaves nothing behind', async () => {
    const options = await program('console.log(process.pid); setInterval(() => {}, 1000)')
    const abort = new AbortController()
    const starting = startNode(options, abort.signal)
    while (!(await readFile(options.logFile, 'utf8').catch(() => '')).includes('\n')) await new Promise(setImmediate)
    abort.abort()
    await expect(starting).rejects.toThrow(/abort/)
    expect(isAlive(Number(await readFile(options.logFile, 'utf8')))).toBe(false)
  })
})
