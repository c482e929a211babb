import { describe, expect, it } from 'vitest'
import { fieldViolations } from './field-violations.js'
import { listTasksQuerySchema, listTasksRequestSchema } from './list-tasks-request.js'

function faults(schema: typeof listTasksRequestSchema, input: unknown): readonly string[] {
  const parsed = schema.safeParse(input)
  return parsed.success ? [] : fieldViolations(parsed.error).map(({ field }) => field)
}

describe('listTasksRequestSchema', () => {
  it.each([
    [{}, {}],
    [{ status: 'TASK_STATE_UNSPECIFIED' }, {}],
    [{ status: 0, page_token: '', tenant: '', contextId: '' }, {}],
    [{ status: 3 }, { status: 'TASK_STATE_COMPLETED' }],
    [{ status: 'TASK_STATE_AUTH_REQUIRED' }, { status: 'TASK_STATE_AUTH_REQUIRED' }],
    [
      { page_size: 100, include_artifacts: false, history_length: 0 },
      { pageSize: 100, includeArtifacts: false, historyLength: 0 },
    ],
    [{ pageSize: '1' }, { pageSize: 1 }],
  ])('reads %j as %j', (input, expected) => {
    expect(listTasksRequestSchema.parse(input)).toStrictEqual(expected)
  })

  it.each([
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00.123Z', '2026-01-01T00:00:00.123Z'],
    ['2026-01-01t00:00:00.5z', '2026-01-01T00:00:00.500Z'],
    ['2026-01-01T02:30:00+02:30', '2026-01-01T00:00:00.000Z'],
    ['2025-12-31T19:00:00-0500', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00.000000001Z', '2026-01-01T00:00:00.001Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ])('reads the timestamp %s as the moment %s', (statusTimestampAfter, moment) => {
    expect(listTasksRequestSchema.parse({ statusTimestampAfter })).toStrictEqual({ statusTimestampAfter: Date.parse(moment) })
  })

  it.each([
    '',
    'yesterday',
    '2026-01-01',
    '2026-01-01T00:00:00',
    '2026-02-30T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:00:00+24:00',
    1767225600000,
  ])('refuses %j as a timestamp', (statusTimestampAfter) => {
    expect(faults(listTasksRequestSchema, { statusTimestampAfter })).toStrictEqual(['statusTimestampAfter'])
  })

  it.each([
    [{ status: 'COMPLETED' }, 'status'],
    [{ status: 9 }, 'status'],
    [{ status: -1 }, 'status'],
    [{ status: '3' }, 'status'],
    [{ pageSize: 0 }, 'pageSize'],
    [{ pageSize: -1 }, 'pageSize'],
    [{ pageSize: 101 }, 'pageSize'],
    [{ pageSize: 'abc' }, 'pageSize'],
    [{ pageToken: 1 }, 'pageToken'],
    [{ includeArtifacts: 'true' }, 'includeArtifacts'],
    [{ historyLength: -1 }, 'historyLength'],
  ])('refuses %j', (input, field) => {
    expect(faults(listTasksRequestSchema, input)).toStrictEqual([field])
  })
})

describe('listTasksQuerySchema', () => {
  it('reads the strings of a query', () => {
    const query = Object.fromEntries(
      new Map([
        ['status', '3'],
        ['pageSize', '5'],
        ['includeArtifacts', 'true'],
        ['historyLength', '0'],
        ['statusTimestampAfter', '1970-01-01T00:00:01Z'],
        ['A2A-Version', '1.0'],
      ]),
    )
    expect(listTasksQuerySchema.parse(query)).toStrictEqual({
      status: 'TASK_STATE_COMPLETED',
      pageSize: 5,
      includeArtifacts: true,
      historyLength: 0,
      statusTimestampAfter: 1000,
    })
    expect(listTasksQuerySchema.parse({ status: '0', includeArtifacts: 'false' })).toStrictEqual({ includeArtifacts: false })
  })

  it.each(['tenant', 'contextId', 'status', 'pageToken', 'statusTimestampAfter'])('takes an empty %s as unset', (name) => {
    expect(listTasksQuerySchema.parse({ [name]: '' })).toStrictEqual({})
  })

  it.each([
    [{ includeArtifacts: '1' }, 'includeArtifacts'],
    [{ includeArtifacts: 'TRUE' }, 'includeArtifacts'],
    [{ includeArtifacts: '' }, 'includeArtifacts'],
    [{ status: 'completed' }, 'status'],
    [{ pageSize: ['1', '2'] }, 'pageSize'],
    [{ pageSize: '1e1' }, 'pageSize'],
    [{ contextId: ['a', 'b'] }, 'contextId'],
  ])('refuses %j', (query, field) => {
    expect(faults(listTasksQuerySchema, query)).toStrictEqual([field])
  })
})
