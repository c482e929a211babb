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

  test('takes dots and colons in a build id, as in 1.2 or registry:tag', () => {
    const versioning = { deploymentName: 'support', buildId: 'registry:1.2' }
    expect(resolveWorkerOptions({ ...options, versioning }).versioning).toEqual(versioning)
  })

  test.each<[Partial<WorkerOptions>, string]>([
    [{ agents: [] }, 'createWorker: agents must name at least one agent'],
    [{ agents: [agent, agent] }, 'createWorker: agents has two agents with the id "support"; give each its own'],
    [{ slots: { turns: 0 } }, 'createWorker: slots.turns must be an integer of at least 1; it is 0'],
    [{ slots: { commands: 1.5 } }, 'createWorker: slots.commands must be an integer of at least 1; it is 1.5'],
    [{ slots: { workflowTasks: 1 } }, 'createWorker: slots.workflowTasks must be an integer of at least 2; it is 1'],
    [{ retention: { tasksMs: -1, auditMs: 0 } }, 'createWorker: retention.tasksMs must be an integer of at least 0; it is -1'],
    [{ maxPollers: 1 }, 'createWorker: maxPollers must be an integer of at least 2; it is 1'],
    [{ maxCachedWorkflows: 0 }, 'createWorker: maxCachedWorkflows must be an integer of at least 2; it is 0'],
    [
      { sweepIntervalMs: 2 ** 31 },
      'createWorker: sweepIntervalMs must be a whole number of milliseconds from 1 to 2147483647; it is 2147483648',
    ],
    [
      { shutdownGraceMs: 2 ** 31 },
      'createWorker: shutdownGraceMs must be a whole number of milliseconds from 0 to 2147483647; it is 2147483648',
    ],
    [{ versioning: { deploymentName: '', buildId: '1' } }, 'createWorker: versioning.deploymentName must be a non-empty string; it is ""'],
    [
      { versioning: { deploymentName: 'moorage' } as never },
      'createWorker: versioning.buildId must be a non-empty string; it is undefined',
    ],
    [
      { versioning: { deploymentName: 'support.v2', buildId: '1' } },
      'createWorker: versioning.deploymentName must have no "." and no ":", which Temporal refuses in names of deployments; it is "support.v2"',
    ],
    [
      { versioning: { deploymentName: 'a:b', buildId: '1' } },
      'createWorker: versioning.deploymentName must have no "." and no ":", which Temporal refuses in names of deployments; it is "a:b"',
    ],
    [
      { versioning: { deploymentName: '__support', buildId: '1' } },
      'createWorker: versioning.deploymentName must not begin with "__", which Temporal keeps for itself; it is "__support"',
    ],
    [
      { versioning: { deploymentName: 'support', buildId: '__1' } },
      'createWorker: versioning.buildId must not begin with "__", which Temporal keeps for itself; it is "__1"',
    ],
    [
      { versioning: { deploymentName: 'support', buildId: 'ü'.repeat(128) } },
      `createWorker: versioning.buildId must have at most 255 bytes; it is "${'ü'.repeat(128)}"`,
    ],
    [{ shutdownGraceMs: -1 }, 'createWorker: shutdownGraceMs must be a whole number of milliseconds from 0 to 2147483647; it is -1'],
    [
      { sweepIntervalMs: Number.NaN },
      'createWorker: sweepIntervalMs must be a whole number of milliseconds from 1 to 2147483647; it is NaN',
    ],
  ])('refuses %o', (wrong, message) => {
    expect(() => resolveWorkerOptions({ ...options, ...wrong })).toThrow(new TypeError(message))
  })
})
