import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { endProcess, identifyByPs, identifyProcess, identifySelf, isLiving, type ProcessIdentity } from './process-identity.js'

describe('process identity', () => {
  const children: ChildProcess[] = []
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })

  async function start(script: string): Promise<{ child: ChildProcess; identity: ProcessIdentity; output: string }> {
    const child = spawn('/bin/sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] })
    children.push(child)
    const [output] = (await once(child.stdout, 'data')) as [Buffer]
    const identity = await identifyProcess(child.pid as number)
    if (identity === undefined) throw new Error('the child has ended')
    return { child, identity, output: output.toString().trim() }
  }

  it('knows this process, and does not take another one with its pid for it', async () => {
    const self = await identifySelf()
    expect(self.pid).toBe(process.pid)
    expect(await isLiving(self)).toBe(true)
    expect(await isLiving({ ...self, start: 'another time' })).toBe(false)
  })

  it('takes an ended process for gone, even where nobody has reaped it', async () => {
    const { identity, output } = await start('sleep 0 & echo $!; exec sleep 60')
    const zombie = Number(output)
    await expect.poll(() => identifyProcess(zombie)).toBeUndefined()
    expect(await isLiving(identity)).toBe(true)
  })

  it('tells the same from ps as from /proc', async () => {
    const self = await identifyByPs(process.pid)
    expect(await identifyByPs(process.pid)).toEqual(self)
    expect(self?.start).toMatch(/\d{2}:\d{2}:\d{2} \d{4}$/)
    expect(await identifyByPs(999_999_999)).toBeUndefined()
  })

  it('ends a process that ignores SIGTERM by SIGKILL after the grace', async () => {
    const { child, identity } = await start('trap "" TERM; echo ready; while :; do sleep 1; done')
    const exit = once(child, 'exit')
    expect(await endProcess(identity, 100)).toBe(true)
    expect(await exit).toEqual([null, 'SIGKILL'])
  })
})
