import { describe, expect, it } from 'vitest'
import { fieldViolations } from './field-violations.js'
import type { WireSchema } from './proto-json.js'
import {
  createPushConfigRequestSchema,
  getExtendedAgentCardRequestSchema,
  listPushConfigsRequestSchema,
  onePushConfigRequestSchema,
} from './push-config-requests.js'

const url = 'https://example.com/hook'

function faults(schema: WireSchema<unknown>, input: unknown): readonly string[] {
  const parsed = schema.safeParse(input)
  return parsed.success ? [] : fieldViolations(parsed.error).map(({ field }) => field)
}

describe('the requests of the operations on push configs', () => {
  it.each<[WireSchema<unknown>, unknown, unknown]>([
    [createPushConfigRequestSchema, { task_id: 't', url, id: '', token: 's', 'x-foo': 1 }, { taskId: 't', url, token: 's' }],
    [onePushConfigRequestSchema, { taskId: 't', id: 'c', tenant: '' }, { taskId: 't', id: 'c' }],
    [listPushConfigsRequestSchema, { taskId: 't', page_size: '5', pageToken: '' }, { taskId: 't', pageSize: 5 }],
    [listPushConfigsRequestSchema, { taskId: 't', pageSize: 0, pageToken: 'p' }, { taskId: 't', pageSize: 0, pageToken: 'p' }],
    [getExtendedAgentCardRequestSchema, { tenant: 'acme', id: 1 }, { tenant: 'acme' }],
  ])('are read: %#', (schema, input, expected) => {
    expect(schema.parse(input)).toStrictEqual(expected)
  })

  it.each<[WireSchema<unknown>, unknown, readonly string[]]>([
    [createPushConfigRequestSchema, { url }, ['taskId']],
    [createPushConfigRequestSchema, { taskId: '', url: 'ftp://example.com' }, ['url', 'taskId']],
    [createPushConfigRequestSchema, { taskId: 't', task_id: 't', url }, ['taskId']],
    [onePushConfigRequestSchema, { taskId: 'x'.repeat(257) }, ['taskId', 'id']],
    [listPushConfigsRequestSchema, { taskId: 't', pageSize: 'abc' }, ['pageSize']],
    [listPushConfigsRequestSchema, { taskId: 't', pageSize: -1 }, ['pageSize']],
    [listPushConfigsRequestSchema, { taskId: 't', pageToken: 1 }, ['pageToken']],
    [getExtendedAgentCardRequestSchema, { tenant: 1 }, ['tenant']],
  ])('are refused by the field: %#', (schema, input, expected) => {
    expect(faults(schema, input)).toStrictEqual(expected)
  })
})
