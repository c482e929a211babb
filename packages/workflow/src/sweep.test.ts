import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { receive } from '@moorage/inbox/receive'
import { ANONYMOUS, type TaskStore } from '@moorage/store'
import { openSqliteStore } from '@moorage/store/sqlite'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type Logger, SILENT } from './logger.js'
import { type SweepOptions, sweep } from './sweep.js'

let store: TaskStore

beforeEach(async () => {
  const dir = await mkdtemp(join(tmpdir(), 'moorage-sweep-'))
  store = await openSqliteStore({ path: join(dir, 'store.db'), wakeAfterMs: 0 })
  onTestFinished(async () => {
    await store.close()
    await rm(dir, { recursive: true, force: true })
  })
})

async function accept(agent: string): Promise<string> {
  const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: 'hello' }] } as const
  const reception = await receive(store, { agent, commands: new Set() }, ANONYMOUS, message)
  if (reception.result === 'refused') throw new Error(reception.reason)
  return reception.receipt.taskId
}

/** Sweeps until `count` wakes have been sent, and returns them. */
async function sweepUntil(count: number, options: Partial<SweepOptions> = {}) {
  const stopping = new AbortController()
  const woken: unknown[] = []
  const deliver = async (agent: string, taskId: string, unhandled: unknown) => {
    woken.push({ agent, taskId, unhandled })
    if (woken.length === count) stopping.abort()
  }
  const always = { store, agents: ['mine'], waker: { deliver }, intervalMs: 1, logger: SILENT, ready: () => true }
  await sweep({ ...always, ...options }, stopping.signal)
  return woken
}

describe('sweep', () => {
  test('wakes the due tasks of its agents with what waits in them', async () => {
    await accept('other')
    const taskId = await accept('mine')
    expect(await sweepUntil(1)).toEqual([{ agent: 'mine', taskId, unhandled: [{ position: 1, kind: 'message' }] }])
  })

  test('tells once that the store is away, and once that it is back', async () => {
    const taskId = await accept('mine')
    let refusals = 3
    const claimDue: TaskStore['claimDue'] = async (...claim) => {
      refusals -= 1
      if (refusals >= 0) throw new Error('no connection')
      return store.claimDue(...claim)
    }
    const told: string[] = []
    const hear = (level: string) => (_: object, message: string) => void told.push(`${level} ${message}`)
    const logger: Logger = { debug: hear('debug'), info: hear('info'), warn: hear('warn'), error: hear('error') }
    expect(await sweepUntil(1, { store: { claimDue }, logger })).toMatchObject([{ taskId }])
    const away = 'the store does not answer; the sweep waits for it'
    expect(told).toEqual([`warn ${away}`, `debug ${away}`, `debug ${away}`, 'info the store answers again; the sweep goes on'])
  })

  test('claims nothing while no wake would arrive', async () => {
    const taskId = await accept('mine')
    let asked = 0
    const ready = (): boolean => {
      asked += 1
      return asked > 3
    }
    const woken = await sweepUntil(1, { ready })
    expect(woken).toMatchObject([{ taskId }])
    expect(asked).toBe(4)
  })
})
