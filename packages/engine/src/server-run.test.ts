import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { identifyProcess, isLiving, waitUntilGone } from './process-identity.js'
import { type RunProcesses, type ServerRun, startServerRun } from './server-run.js'

describe('startServerRun', () => {
  async function start(script: string): Promise<{ run: ServerRun; recorded: readonly RunProcesses[]; logged: () => Promise<string> }> {
    const recorded: RunProcesses[] = []
    let firstLine: (line: string) => void
    const line = new Promise<string>((resolve) => {
      firstLine = resolve
    })
    const run = await startServerRun({
      ...{ file: '/bin/sh', args: ['-c', script], graceMs: 300, env: { PATH: '/bin:/usr/bin' } },
      record: async (processes) => {
        recorded.push(processes)
      },
      onLog: (text) => firstLine(text),
    })
    return { run, recorded, logged: () => line }
  }

  it('records the watchdog before the server exists, then both', async () => {
    const { run, recorded } = await start('exec sleep 60')
    expect(recorded).toEqual([
      { watchdog: run.watchdog, server: undefined },
      { watchdog: run.watchdog, server: run.server },
    ])
    await run.stop()
    expect(await isLiving(run.server)).toBe(false)
    expect(await isLiving(run.watchdog)).toBe(false)
  })

  it('passes on what the server logs, and tells how it ended', async () => {
    const { run, logged } = await start('echo trouble >&2; exit 3')
    expect(await logged()).toBe('trouble')
    if (!run.gone.aborted) await once(run.gone, 'abort')
    expect(run.ending()).toBe('it ended with code 3')
  })

  it('kills a server that ignores SIGTERM', async () => {
    const { run, logged } = await start('trap "" TERM; echo ready >&2; while :; do sleep 0.1; done')
    await logged()
    await run.stop()
    expect(await isLiving(run.server)).toBe(false)
    expect(run.ending()).toBe('it was ended by SIGKILL')
  })

  it('ends the server when its watchdog is killed', async () => {
    const { run } = await start('exec sleep 60')
    process.kill(run.watchdog.pid, 'SIGKILL')
    if (!run.gone.aborted) await once(run.gone, 'abort')
    expect(await isLiving(run.server)).toBe(false)
    expect(run.ending()).toBe('its watchdog was killed')
  })

  it('has a watchdog that no polite signal stops, in a session of its own', async () => {
    const { run } = await start('exec sleep 60')
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(run.watchdog.pid, signal)
    expect(await waitUntilGone(run.watchdog, 200)).toBe(false)
    expect(await isLiving(run.server)).toBe(true)
    // The watchdog leads a group: a signal to this process's group does not reach it.
    expect(() => process.kill(-run.watchdog.pid, 0)).not.toThrow()
    await run.stop()
  })

  it('says why a server cannot be started', async () => {
    const pids: number[] = []
    const record = async ({ watchdog }: RunProcesses) => {
      pids.push(watchdog.pid)
    }
    const options = { file: '/no/such/temporal', args: [], graceMs: 100, env: {}, record, onLog: () => undefined }
    await expect(startServerRun(options)).rejects.toThrow('spawn /no/such/temporal ENOENT')
    expect(await identifyProcess(pids[0] as number)).toBeUndefined()
  })

  it('leaves nothing running where it cannot be recorded', async () => {
    const seen: RunProcesses[] = []
    const record = async (processes: RunProcesses) => {
      seen.push(processes)
      if (processes.server !== undefined) throw new Error('disk full')
    }
    const options = { file: '/bin/sh', args: ['-c', 'exec sleep 60'], graceMs: 300, env: {}, record, onLog: () => undefined }
    await expect(startServerRun(options)).rejects.toThrow('disk full')
    for (const identity of [seen[1]?.server, seen[1]?.watchdog]) expect(identity !== undefined && (await isLiving(identity))).toBe(false)
  })
})
