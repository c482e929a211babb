import { defineAgent } from '@moorage/agent'
import { describe, expect, test } from 'vitest'
import { resolveWorkerOptions, type WorkerOptions } from './worker-options.js'

const agent = defineAgent({ id: 'support', turn: (turn) => turn.complete() })
const options: WorkerOptions = {
  temporal: { address: '127.0.0.1:7233' },
  store: {} as WorkerOptions['store'],
  agents: [agent],
}

describe('resolveWorkerOptions', () => {
  test('fills in the defaults', () => {
    expect(resolveWorkerOptions({ ...options, slots: { turns: 7 } })).toMatchObject({
      slots: { turns: 7, commands: 20, workflowTasks: 40 },
      maxPollers: 10,
      maxCachedWorkflows: 600,
      versioning: undefined,
      shutdownGraceMs: 10_000,
      sweepIntervalMs: 1000,
      policy: { turnTimeoutMs: 3_600_000 },
    })
  })

  test.each<[Partial<WorkerOptions>, string]>([
    [{ agents: [] }, 'createWorker: agents must name at least one agent'],
    [{ agents: [agent, agent] }, 'createWorker: agents has two agents with the id "support"; give each its own'],
    [{ slots: { turns: 0 } }, 'createWorker: slots.turns must be an integer of at least 1; it is 0'],
    [{ slots: { commands: 1.5 } }, 'createWorker: slots.commands must be an integer of at least 1; it is 1.5'],
    [{ slots: { workflowTasks: 1 } }, 'createWorker: slots.workflowTasks must be an integer of at least 2; it is 1'],
    [{ maxPollers: 1 }, 'createWorker: maxPollers must be an integer of at least 2; it is 1'],
    [{ maxCachedWorkflows: 0 }, 'createWorker: maxCachedWorkflows must be an integer of at least 2; it is 0'],
    [{ versioning: { deploymentName: '', buildId: '1' } }, 'createWorker: versioning.deploymentName must be a non-empty string; it is ""'],
    [
      { versioning: { deploymentName: 'moorage' } as never },
      'createWorker: versioning.buildId must be a non-empty string; it is undefined',
    ],
    [{ shutdownGraceMs: -1 }, 'createWorker: shutdownGraceMs must be an integer of at least 0; it is -1'],
    [{ sweepIntervalMs: Number.NaN }, 'createWorker: sweepIntervalMs must be an integer of at least 1; it is NaN'],
  ])('refuses %o', (wrong, message) => {
    expect(() => resolveWorkerOptions({ ...options, ...wrong })).toThrow(new TypeError(message))
  })
})
