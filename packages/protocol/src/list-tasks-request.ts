import { z } from 'zod'
import { anyString, boolean, int32, optionalIdentifier, protoEnum, protoObject, type WireSchema } from './proto-json.js'
import { TASK_STATES, type TaskState } from './task-state.js'
import { timestamp } from './timestamp.js'

/** The request of ListTasks (A2A §3.1.4). What is unset filters nothing; `statusTimestampAfter` is epoch milliseconds, inclusive. */
export interface ListTasksRequestJson {
  readonly tenant?: string
  readonly contextId?: string
  readonly status?: TaskState
  readonly pageSize?: number
  readonly pageToken?: string
  readonly historyLength?: number
  readonly statusTimestampAfter?: number
  readonly includeArtifacts?: boolean
}

const UNSPECIFIED = 'TASK_STATE_UNSPECIFIED'

const taskState = protoEnum<TaskState>([UNSPECIFIED, ...TASK_STATES])

/** A filter by state: the unspecified state filters nothing. */
const stateFilter = z
  .unknown()
  .transform((input, context): TaskState | undefined => {
    if (input === 0 || input === UNSPECIFIED) return undefined
    const parsed = taskState.safeParse(input)
    for (const { message } of parsed.error?.issues ?? []) context.addIssue({ code: 'custom', message })
    return parsed.data
  })
  .meta({ type: 'string', enum: [UNSPECIFIED, ...TASK_STATES] })

/** In a query an enum's number is a string too. */
const stateFilterOfQuery = z.preprocess((input) => (typeof input === 'string' && /^\d$/.test(input) ? Number(input) : input), stateFilter)

/** In a query a boolean is the word. */
const booleanOfQuery = z.preprocess((input) => (input === 'true' ? true : input === 'false' ? false : input), boolean)

const EMPTY_IS_UNSET = ['tenant', 'contextId', 'pageToken']

function listTasksSchema(
  status: WireSchema<TaskState | undefined>,
  flag: WireSchema<boolean>,
  emptyIsUnset: readonly string[],
): WireSchema<ListTasksRequestJson> {
  return protoObject(
    {
      tenant: optionalIdentifier,
      contextId: optionalIdentifier,
      status: status.exactOptional(),
      pageSize: int32(1, 100).exactOptional(),
      pageToken: anyString.exactOptional(),
      historyLength: int32(0).exactOptional(),
      statusTimestampAfter: timestamp.exactOptional(),
      includeArtifacts: flag.exactOptional(),
    },
    { emptyIsUnset },
  ).transform(({ status: state, ...rest }) => (state === undefined ? rest : { ...rest, status: state }))
}

/** Reads a ListTasksRequest from JSON-RPC `params`. */
export const listTasksRequestSchema = listTasksSchema(stateFilter, boolean, EMPTY_IS_UNSET)

/**
 * Reads a ListTasksRequest from the parameters of an HTTP+JSON query, all of them strings. One given twice, as a list, is
 * refused; an empty filter is unset.
 */
export const listTasksQuerySchema = listTasksSchema(stateFilterOfQuery, booleanOfQuery, [
  ...EMPTY_IS_UNSET,
  'status',
  'statusTimestampAfter',
])
