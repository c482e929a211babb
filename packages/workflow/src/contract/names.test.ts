import { expect, test } from 'vitest'
import { createActivities } from '../activities/create-activities.js'
import * as workflows from '../workflows/index.js'
import { DELIVER, MONITOR, TASK_WORKFLOW, taskQueue, taskWorkflowId, turnTaskQueue } from './index.js'

// Open runs and recorded histories name all of these: a change here needs patched() and a release note.
test('keeps the names that open runs depend on', () => {
  expect({ TASK_WORKFLOW, DELIVER, MONITOR }).toEqual({ TASK_WORKFLOW: 'taskWorkflow', DELIVER: 'deliver', MONITOR: 'monitor' })
  expect(taskQueue('s1', 'support')).toBe('moorage.s1.support')
  expect(turnTaskQueue('s1', 'support')).toBe('moorage.s1.support.turns')
  expect(taskWorkflowId('s1', 'support', 't1')).toBe('moorage.s1.support.t1')
})

test('keeps the Workflow Types and Activity Types', () => {
  expect(Object.keys(workflows)).toEqual(['taskWorkflow'])
  const ports = {} as Parameters<typeof createActivities>[0]
  expect(Object.keys(createActivities(ports))).toEqual(['run_turn', 'run_command', 'look_again'])
})
