import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { useEngines } from './engine-test.js'
import { isServing } from './health.js'
import { identifyProcess, isLiving, type ProcessIdentity, waitUntilGone } from './process-identity.js'
import { startEngine } from './start-engine.js'

/** Three times what the watchdog promises, for a machine that is busy. */
const watchdogLimitMs = 15_000

const on = useEngines()

describe('an engine whose parent goes away', () => {
  async function identify(pid: number | undefined): Promise<ProcessIdentity> {
    const identity = pid === undefined ? undefined : await identifyProcess(pid)
    if (identity === undefined) throw new Error(`there is no process ${pid}`)
    return identity
  }

  it.each([
    ['is killed', 'process.kill(process.pid, "SIGKILL")'],
    ['exits', 'process.exit(0)'],
    ['crashes', 'throw new Error("crash")'],
  ])('is ended when the parent %s', async (_, script) => {
    const parent = await on.startParent(`process.stdin.once('data', () => { ${script} })`)
    const server = await identify(parent.pid)
    const watchdog = await identify((await on.engineJson()).watchdog?.pid)
    parent.child.stdin?.write('go')
    await once(parent.child, 'exit')
    expect(await waitUntilGone(server, watchdogLimitMs)).toBe(true)
    expect(await waitUntilGone(watchdog, watchdogLimitMs)).toBe(true)
  })

  it('refuses a second owner while the first lives, and is taken over when that is killed', async () => {
    const other = await on.startParent('')
    await on.temporal(other, 'workflow', 'start', '--task-queue', 'q', '--type', 't', '--workflow-id', 'kept')
    const error = await startEngine({ cli: on.cli, dataDir: on.dataDir }).catch((e: unknown) => e)
    expect(error).toMatchObject({ name: 'EngineError', code: 'folder-in-use' })
    for (const part of [on.dataDir, `process ${other.child.pid}`, other.address, `server pid ${other.pid}`]) {
      expect((error as Error).message).toContain(part)
    }
    const server = await identify(other.pid)
    other.child.kill('SIGKILL')
    await once(other.child, 'exit')
    // At once, while the old server is still being ended: there are never two on one database.
    const engine = await on.start()
    expect(await isLiving(server)).toBe(false)
    expect(engine.address).toBe(other.address)
    expect(await on.temporal(engine, 'workflow', 'describe', '--workflow-id', 'kept')).toContain('"kept"')
  })

  it('is ended by the next owner where its watchdog was killed too', async () => {
    const other = await on.startParent('')
    const server = await identify(other.pid)
    const watchdog = await identify((await on.engineJson()).watchdog?.pid)
    process.kill(watchdog.pid, 'SIGKILL')
    other.child.kill('SIGKILL')
    await once(other.child, 'exit')
    await on.start()
    expect(await isLiving(server)).toBe(false)
  })

  it('keeps serving while the parent drains after Ctrl-C', async () => {
    const parent = await on.startParent(`
      process.on('SIGINT', () => console.log('draining'))
      process.stdin.once('data', async () => { await engine.stop(); process.exit() })`)
    process.kill(-(parent.child.pid as number), 'SIGINT')
    expect(await parent.next()).toBe('draining')
    expect(await isServing(Number(parent.address.split(':')[1]))).toBe(true)
    parent.child.stdin?.write('go')
    await once(parent.child, 'exit')
    expect(await identifyProcess(parent.pid)).toBeUndefined()
  })
})
