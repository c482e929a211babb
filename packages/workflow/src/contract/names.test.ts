import { expect, test } from 'vitest'
import { createActivities } from '../activities/create-activities.js'
import { createUpkeep } from '../activities/create-upkeep.js'
import * as workflows from '../workflows/index.js'
import {
  DELIVER,
  HEARTBEAT_WORKFLOW,
  heartbeatScheduleId,
  MONITOR,
  RETENTION_WORKFLOW,
  retentionScheduleId,
  TASK_WORKFLOW,
  taskQueue,
  taskWorkflowId,
  turnTaskQueue,
} from './index.js'

// Open runs and recorded histories name all of these: a change here needs patched() and a release note.
test('keeps the names that open runs depend on', () => {
  expect({ TASK_WORKFLOW, DELIVER, MONITOR }).toEqual({ TASK_WORKFLOW: 'taskWorkflow', DELIVER: 'deliver', MONITOR: 'monitor' })
  expect(taskQueue('s1', 'support')).toBe('moorage.s1.support')
  expect(turnTaskQueue('s1', 'support')).toBe('moorage.s1.support.turns')
  expect({ RETENTION_WORKFLOW, HEARTBEAT_WORKFLOW }).toEqual({
    RETENTION_WORKFLOW: 'retentionWorkflow',
    HEARTBEAT_WORKFLOW: 'heartbeatWorkflow',
  })
  expect(retentionScheduleId('s1', 'support')).toBe('moorage.s1.support.retention')
  expect(heartbeatScheduleId('s1', 'support')).toBe('moorage.s1.support.heartbeat')
  expect(taskWorkflowId('s1', 'support', 't1')).toBe('moorage.s1.support.t1')
})

test('keeps the Workflow Types and Activity Types', () => {
  expect(Object.keys(workflows)).toEqual(['heartbeatWorkflow', 'retentionWorkflow', 'taskWorkflow'])
  const ports = {} as Parameters<typeof createActivities>[0]
  expect(Object.keys(createActivities(ports))).toEqual(['run_turn', 'run_command', 'look_again'])
  expect(Object.keys(createUpkeep({} as Parameters<typeof createUpkeep>[0]))).toEqual(['remove_expired', 'record_heartbeat'])
})
