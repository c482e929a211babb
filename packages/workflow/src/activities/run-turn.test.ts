import { defineAgent, type Outcome, type Turn } from '@moorage/agent'
import type { Json, MessageJson } from '@moorage/protocol'
import { ApplicationFailure, CancelledFailure } from '@temporalio/common'
import { describe, expect, test } from 'vitest'
import { runTurn } from './run-turn.js'
import { execution, IMPATIENT, openTurnStage } from './turn-stage.js'

const hello: MessageJson = { messageId: 'm-2', role: 'ROLE_USER', parts: [{ text: 'hello' }] }

function agentOf(turn: (turn: Turn) => Promise<Outcome> | Outcome) {
  return defineAgent({ id: 'agent', turn })
}

describe('runTurn', () => {
  test('records everything in the order of the code', async () => {
    const stage = await openTurnStage(
      agentOf(async (turn) => {
        const [a, b] = [turn.artifact('a'), turn.artifact('b')]
        void a.append('1')
        void turn.status('half')
        void b.append('2')
        await turn.step('pause', () => null)
        await a.replace('3')
        return turn.complete('end')
      }),
    )
    expect(await runTurn(stage.ports, stage.taskId, execution())).toEqual({ unhandled: [], last: 1, terminal: true })
    expect(await stage.log()).toEqual(['SUBMITTED', 'WORKING', 'a: 1', 'WORKING half', 'b: 2', 'a: 3', 'COMPLETED end'])
  })

  test('gets each message with its sender and what the policies noted on it', async () => {
    const received: unknown[] = []
    const stage = await openTurnStage(
      agentOf((turn) => {
        received.push(...turn.received)
        expect(turn.messages).toEqual(turn.received.map(({ message }) => message))
        return turn.complete()
      }),
    )
    const bob = { tenant: '', subject: 'bob', participant: 'bob' }
    await stage.ports.store.transact([stage.taskId], (tx) =>
      tx.accept(stage.taskId, { key: 'k', digest: 'd', message: hello, sender: { ...bob, claims: { a: 1 } }, annotations: { budget: 3 } }),
    )
    await runTurn(stage.ports, stage.taskId, execution())
    expect(received).toMatchObject([
      { message: { parts: [{ text: 'go' }] }, sender: { subject: 'anonymous', participant: 'anonymous' }, annotations: {} },
      { message: { messageId: 'm-2' }, annotations: { budget: 3 } },
    ])
    expect(received.at(-1)).toHaveProperty('sender', bob)
  })

  test('says each message with an id of its own, in every attempt', async () => {
    const keys: string[] = []
    const stage = await openTurnStage(
      agentOf(async (turn) => {
        keys.push(turn.key)
        await turn.status('at it')
        await turn.task()
        if (turn.attempt === 1) throw new Error('stumbled')
        return turn.complete('end')
      }),
    )
    await expect(runTurn(stage.ports, stage.taskId, execution())).rejects.toMatchObject({ type: 'TurnFailed' })
    await runTurn(stage.ports, stage.taskId, execution({ scheduling: { id: 'run/1', attempt: 2 } }))
    const log = JSON.stringify(await stage.ports.store.read(stage.taskId, 0, 100))
    const ids = [...log.matchAll(/"message":\{"messageId":"([^"]*)","role":"ROLE_AGENT"/g)].map((match) => match[1])
    expect(ids).toHaveLength(3)
    expect(new Set(ids).size).toBe(3)
    expect(keys).toEqual([`${stage.taskId}/turn/1`, `${stage.taskId}/turn/1`])
  })

  test('runs nothing for an older attempt of the same scheduling', async () => {
    let runs = 0
    const stage = await openTurnStage(
      agentOf(() => {
        runs += 1
        throw new Error('never ends')
      }),
    )
    await expect(runTurn(stage.ports, stage.taskId, execution({ scheduling: { id: 'run/1', attempt: 2 } }))).rejects.toThrow()
    await runTurn(stage.ports, stage.taskId, execution({ scheduling: { id: 'run/1', attempt: 1 } }))
    expect(runs).toBe(1)
  })

  test('finds the outcome of an attempt that was lost after it, and runs nothing', async () => {
    let runs = 0
    const stage = await openTurnStage(
      agentOf((turn) => {
        runs += 1
        return turn.ask('Which one?')
      }),
    )
    await runTurn(stage.ports, stage.taskId, execution())
    const again = await runTurn(stage.ports, stage.taskId, execution({ scheduling: { id: 'run/1', attempt: 2 } }))
    expect(again).toEqual({ unhandled: [], last: 1, terminal: false })
    expect(runs).toBe(1)
  })

  test('waits for a store that is away in the middle of a turn, and loses and doubles nothing', async () => {
    const words = Array.from({ length: 50 }, (_, index) => `${index}`)
    const attempts: number[] = []
    let unlock = async (): Promise<void> => {}
    const stage = await openTurnStage(
      agentOf(async (turn) => {
        attempts.push(turn.attempt)
        await turn.artifact('a').append('begin')
        unlock = await stage.lock()
        for (const word of words) void turn.artifact('a').append(word)
        void turn.step('free', async () => {
          setTimeout(() => void unlock(), 500)
          return 'freed'
        })
        return turn.complete(await turn.step('answer', () => 'end'))
      }),
      'go',
      IMPATIENT,
    )
    await runTurn(stage.ports, stage.taskId, execution())
    const task = await stage.task()
    expect(task.status.state).toBe('TASK_STATE_COMPLETED')
    expect(task.artifacts?.[0]?.parts.map((part) => ('text' in part ? part.text : ''))).toEqual(['begin', ...words])
    expect(attempts).toEqual([1])
  })

  test('asks to be run again when the store is away at its beginning', async () => {
    const stage = await openTurnStage(
      agentOf((turn) => turn.complete()),
      'go',
      IMPATIENT,
    )
    const { createActivities } = await import('./create-activities.js')
    const unlock = await stage.lock()
    await expect(createActivities(stage.ports).look_again({ taskId: stage.taskId })).rejects.toMatchObject({
      type: 'StoreUnavailable',
      nextRetryDelay: 3000,
    })
    await unlock()
  })

  test('makes way for another attempt, and records nothing more of its own', async () => {
    const stage = await openTurnStage(
      agentOf(async (turn) => {
        await stage.ports.store.transact([stage.taskId], (tx) => tx.openTurn(stage.taskId, { id: 'run/2', attempt: 1 }))
        await turn
          .artifact('late')
          .append('late')
          .catch(() => {})
        return turn.complete('too late')
      }),
    )
    expect(await runTurn(stage.ports, stage.taskId, execution())).toMatchObject({ terminal: false })
    expect(await stage.log()).toEqual(['SUBMITTED', 'WORKING'])
  })

  test('hands the turn back when the worker shuts down, which counts as no error', async () => {
    const worker = new AbortController()
    const stage = await openTurnStage(
      agentOf((turn) => {
        worker.abort(new CancelledFailure('WORKER_SHUTDOWN'))
        return new Promise((_, reject) => reject(turn.signal.reason))
      }),
    )
    const failed = await runTurn(stage.ports, stage.taskId, execution({ cancellation: worker.signal })).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(ApplicationFailure)
    expect(failed).toMatchObject({ type: 'WorkerShutdown', nonRetryable: false })
    expect(await stage.log()).toEqual(['SUBMITTED', 'WORKING'])
  })

  test('refuses a value of a step that is not JSON with an error in the code of the agent', async () => {
    const faults: unknown[] = []
    const stage = await openTurnStage(
      agentOf(async (turn) => {
        faults.push(await turn.step('when', () => new Date(0) as unknown as Json).catch((error: unknown) => error))
        faults.push(await turn.step('x#2', () => 1).catch((error: unknown) => error))
        faults.push(
          await turn
            .artifact('a')
            .append({ texts: 'x' } as never)
            .catch((error: unknown) => error),
        )
        return turn.complete()
      }),
    )
    await runTurn(stage.ports, stage.taskId, execution())
    expect(faults.map(String)).toEqual([
      expect.stringContaining('turn.step("when"): the value is an instance of Date'),
      expect.stringContaining('turn.step: name must have no number after'),
      expect.stringContaining('turn.artifact("a"): part 1 is no part'),
    ])
  })

  test('shows the code what it has just written', async () => {
    const seen: unknown[] = []
    const stage = await openTurnStage(
      agentOf(async (turn) => {
        void turn.artifact('a').append('written')
        seen.push((await turn.task()).artifacts?.[0]?.parts)
        return turn.complete()
      }),
    )
    await runTurn(stage.ports, stage.taskId, execution())
    expect(seen).toEqual([[{ text: 'written' }]])
  })

  test('makes a writer wait while full batches are being written', async () => {
    const chunk = 'x'.repeat(40_000)
    const waits: boolean[] = []
    const stage = await openTurnStage(
      agentOf(async (turn) => {
        const unlock = await stage.lock()
        let settled = false
        const first = turn.artifact('a').append(chunk)
        const second = turn
          .artifact('a')
          .append(chunk)
          .then(() => {
            settled = true
          })
        await first
        await new Promise(setImmediate)
        waits.push(settled)
        await unlock()
        await second
        waits.push(settled)
        return turn.complete()
      }),
    )
    await runTurn(stage.ports, stage.taskId, execution())
    expect(waits).toEqual([false, true])
  })
})
