import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { findEngineOwner, findRunningEngine } from './engine-record.js'
import { useEngines } from './engine-test.js'
import { isServing } from './health.js'
import { identifyProcess, isLiving } from './process-identity.js'
import type { EngineRestart } from './supervise.js'

const on = useEngines()

describe('startEngine', () => {
  const leftOvers = async () => (await readdir(on.dataDir)).filter((name) => name.startsWith('engine'))

  it('serves on loopback with the retention that was asked for, and is gone after stop', async () => {
    const engine = await on.start({ retentionHours: 48 })
    expect(engine.address).toBe(`127.0.0.1:${engine.port}`)
    expect(engine.version).toBe(on.cli.server)
    expect(JSON.parse(await on.temporal(engine, 'operator', 'cluster', 'health'))).toEqual({ status: 'SERVING' })
    expect(await on.temporal(engine, 'operator', 'namespace', 'describe', '--namespace', engine.namespace)).toContain(`"${48 * 3600}s"`)
    const server = await identifyProcess(engine.pid)
    expect(await findRunningEngine(on.dataDir)).toEqual({
      ...{ address: engine.address, namespace: 'default', version: on.cli.server, pid: engine.pid, ownerPid: process.pid },
    })
    expect(await findEngineOwner(on.dataDir)).toBe(process.pid)
    expect(await on.engineJson()).toMatchObject({ pid: engine.pid, startedAt: server?.start })
    await engine.stop()
    await engine.exited
    expect(await identifyProcess(engine.pid)).toBeUndefined()
    expect(await leftOvers()).toEqual([])
    expect(await findRunningEngine(on.dataDir)).toBeUndefined()
    expect(await findEngineOwner(on.dataDir)).toBeUndefined()
  })

  it('keeps its workflows and its port over a stop and a start', async () => {
    const first = await on.start()
    await on.temporal(first, 'workflow', 'start', '--task-queue', 'q', '--type', 't', '--workflow-id', 'kept')
    await first.stop()
    const second = await on.start()
    expect(second.port).toBe(first.port)
    expect(await on.temporal(second, 'workflow', 'describe', '--workflow-id', 'kept')).toContain('"kept"')
    expect(await on.temporal(second, 'operator', 'namespace', 'describe', '--namespace', 'default')).toContain(`"${72 * 3600}s"`)
  })

  it('starts a server that died again, at the same address and with the same database', async () => {
    let told: (restart: EngineRestart) => void
    const restarted = new Promise<EngineRestart>((resolve) => {
      told = resolve
    })
    const engine = await on.start({ restartDelayMs: 10, onRestart: (restart) => told(restart) })
    await on.temporal(engine, 'workflow', 'start', '--task-queue', 'q', '--type', 't', '--workflow-id', 'kept')
    const killed = engine.pid
    process.kill(killed, 'SIGKILL')
    expect(await restarted).toEqual({ pid: engine.pid, restarts: 1, reason: 'it was ended by SIGKILL' })
    expect(engine.pid).not.toBe(killed)
    expect(await on.temporal(engine, 'workflow', 'describe', '--workflow-id', 'kept')).toContain('"kept"')
    expect(await on.engineJson()).toMatchObject({ pid: engine.pid, address: engine.address })
  })

  it('replaces a server whose watchdog was killed', async () => {
    let told: () => void
    const restarted = new Promise<void>((resolve) => {
      told = resolve
    })
    const engine = await on.start({ restartDelayMs: 10, onRestart: () => told() })
    const { pid, startedAt = '', watchdog } = await on.engineJson()
    process.kill(watchdog?.pid as number, 'SIGKILL')
    await restarted
    expect(await isLiving({ pid: pid as number, start: startedAt })).toBe(false)
    expect(await isServing(engine.port)).toBe(true)
  })

  it('stops while it is starting a server again', async () => {
    let told: () => void
    const noticed = new Promise<void>((resolve) => {
      told = resolve
    })
    const engine = await on.start({ restartDelayMs: 1, onProgress: (line) => line.includes('is gone') && told() })
    process.kill(engine.pid, 'SIGKILL')
    await noticed
    await engine.stop()
    expect(await isServing(engine.port)).toBe(false)
    expect(await leftOvers()).toEqual([])
  })
})
