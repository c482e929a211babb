import { expect, test } from 'vitest'
import { SILENT } from '../logger.js'
import { toTemporalLogger } from './temporal-logger.js'

test.each([
  ['No workflows registered, not polling for workflow tasks', 'debug'],
  ['gRPC call poll_workflow_task_queue retried 5 times', 'debug'],
  ['Activity not found on completion. This may happen if the activity has already been cancelled but completed anyway.', 'debug'],
  ['Network error while completing activity', 'debug'],
  ['Error when recording heartbeat: Status { code: Unavailable, message: "tcp connect error" }', 'debug'],
  ['Failing workflow task: nondeterminism', 'warn'],
])('tells %j as %s', (message, level) => {
  const told: string[] = []
  const logger = toTemporalLogger({
    ...SILENT,
    debug: () => void told.push('debug'),
    warn: () => void told.push('warn'),
  })
  logger.warn(message)
  logger.log('WARN', message)
  expect(told).toEqual([level, level])
})

test('leaves it to the encryption to tell a missing key', () => {
  const missing = 'A payload is encrypted with the key "k1", and so on'
  const told: string[] = []
  const hear = (level: string) => () => void told.push(level)
  const logger = toTemporalLogger({ debug: hear('debug'), info: hear('info'), warn: hear('warn'), error: hear('error') })
  logger.warn('Failing workflow task', { failure: `Failure { message: "${missing}" }` })
  logger.error('Failed to process Workflow Activation', { error: new Error(missing) })
  logger.error('Failed to process Workflow Activation', { error: new Error('something else') })
  expect(told).toEqual(['debug', 'debug', 'error'])
})
