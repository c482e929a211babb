import { readFile } from 'node:fs/promises'
import { defineAgent } from '@moorage/agent'
import { buildAgentCard } from '@moorage/card'
import {
  cancelTaskRequestSchema,
  createPushConfigRequestSchema,
  ERROR_TABLE,
  getExtendedAgentCardRequestSchema,
  getTaskRequestSchema,
  listPushConfigsRequestSchema,
  listTasksRequestSchema,
  onePushConfigRequestSchema,
  sendMessageRequestSchema,
  subscribeToTaskRequestSchema,
} from '@moorage/protocol'
import * as contract from '@moorage/workflow/contract'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { recordedHistories } from '../../workflow/history.js'
import { publicExports } from './entry-points.js'
import { expectPinned } from './pinned.js'
import { servedRoutes } from './served-routes.js'

const agent = defineAgent({ id: 'pinned', turn: (turn) => turn.complete() })
const card = buildAgentCard(agent.card, { agentId: agent.id, baseUrl: 'https://agents.example' })

test('keeps the card of an agent that declares nothing', async () => {
  await expectPinned('card', card, 'every agent that leaves the field to us declares something else to its clients')
})

test('keeps the error table', async () => {
  await expectPinned('error-table', ERROR_TABLE, 'clients that tell errors by their code, status or reason no longer do')
})

test('keeps the routes', async () => {
  await expectPinned('routes', await servedRoutes(agent, card), 'requests that were answered are no longer, or new ones are')
})

test('keeps what the public packages export', async () => {
  await expectPinned('exports', await publicExports(), 'code that imports a name no longer compiles, or a name must be kept from now on')
})

test('keeps the names by which Temporal knows workflows, messages, activities and ids', async () => {
  const { TASK_WORKFLOW, RETENTION_WORKFLOW, HEARTBEAT_WORKFLOW, DELIVER, MONITOR } = contract
  const names = {
    workflows: [TASK_WORKFLOW, RETENTION_WORKFLOW, HEARTBEAT_WORKFLOW],
    update: DELIVER,
    query: MONITOR,
    activities: await activityNames(),
    ids: {
      taskQueue: contract.taskQueue('STORE', 'AGENT'),
      turnTaskQueue: contract.turnTaskQueue('STORE', 'AGENT'),
      taskWorkflow: contract.taskWorkflowId('STORE', 'AGENT', 'TASK'),
      retentionSchedule: contract.retentionScheduleId('STORE', 'AGENT'),
      heartbeatSchedule: contract.heartbeatScheduleId('STORE', 'AGENT'),
    },
  }
  await expectPinned('temporal-names', names, 'runs that are open in a cluster cannot go on with the new workers')
})

/** By the interfaces that workflows call them through. */
async function activityNames(): Promise<readonly string[]> {
  const text = await readFile(new URL('../../../../packages/workflow/src/contract/activities.ts', import.meta.url), 'utf8')
  return [...text.matchAll(/^ {2}([a-z_]+)\(.*\): Promise</gm)].map(([, name]) => String(name)).sort()
}

test('knows every activity of the recorded histories', async () => {
  const names = await activityNames()
  for (const history of (await recordedHistories()).values()) {
    const recorded = [...JSON.stringify(history).matchAll(/"activityType":\{"name":"([^"]+)"/g)].map(([, name]) => String(name))
    expect(names).toEqual(expect.arrayContaining([...new Set(recorded)]))
  }
})

test('keeps the JSON Schemas of the requests', async () => {
  const schemas = {
    SendMessageRequest: sendMessageRequestSchema,
    GetTaskRequest: getTaskRequestSchema,
    ListTasksRequest: listTasksRequestSchema,
    CancelTaskRequest: cancelTaskRequestSchema,
    SubscribeToTaskRequest: subscribeToTaskRequestSchema,
    CreateTaskPushNotificationConfigRequest: createPushConfigRequestSchema,
    OneTaskPushNotificationConfigRequest: onePushConfigRequestSchema,
    ListTaskPushNotificationConfigsRequest: listPushConfigsRequestSchema,
    GetExtendedAgentCardRequest: getExtendedAgentCardRequestSchema,
  }
  const entries = Object.entries(schemas).map(([name, schema]) => [name, z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })])
  await expectPinned('request-schemas', Object.fromEntries(entries), 'requests that were taken are refused, or others are taken')
})

test('keeps the configuration variables and their defaults', async () => {
  await expectPinned(
    'variables',
    await documentedVariables(),
    'a deployment that sets the variable, or relies on its default, behaves otherwise',
  )
})

/** As the table of the README says, which is tested against the code. */
async function documentedVariables(): Promise<Readonly<Record<string, string>>> {
  const text = await readFile(new URL('../../../../README.md', import.meta.url), 'utf8')
  const rows = [...text.matchAll(/^\| `([A-Z][A-Z0-9_…]+)` \| ([^|]+) \| [^|]+ \|$/gm)]
  return Object.fromEntries(rows.map(([, name, value]) => [name, value?.trim()]))
}
