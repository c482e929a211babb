import { fileURLToPath } from 'node:url'
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker'
import { beforeAll, expect, test } from 'vitest'
import { recordedHistories } from './history.js'

const codePath = fileURLToPath(new URL('workflow-bundle.js', import.meta.resolve('@moorage/workflow/worker')))
const histories = await recordedHistories()

beforeAll(() => void Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] }))

test('keeps a history of every kind of run', () => {
  expect([...histories.keys()].sort()).toEqual([
    'ask-and-answer',
    'command-during-turn',
    'continue-as-new',
    'failed-turn',
    'heartbeat',
    'lost-worker',
    'message-meanwhile',
    'parked-run',
    'retention',
    'simple-message',
  ])
})

test.each([...histories.keys()])('replays %s as it was recorded', async (name) => {
  await Worker.runReplayHistory({ workflowBundle: { codePath } }, histories.get(name))
})
