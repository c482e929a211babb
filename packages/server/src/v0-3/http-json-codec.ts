import type { OperationName } from '../dispatch.js'
import { fromV03Config, fromV03ConfigRequest, toV03Config } from './config-codec.js'
import { type Convert, each, fields, isRecord } from './convert-fields.js'
import { fromV03Part, toV03Part } from './part-codec.js'

/** The names that are the same in both versions. */
const same = (...names: readonly string[]): readonly (readonly [string, string])[] => names.map((name) => [name, name] as const)

// Answers, from 1.0 to 0.3.

const MESSAGE = fields(...same('messageId', 'contextId', 'taskId', 'role', 'metadata', 'extensions'), ['parts', 'content', each(toV03Part)])
const ARTIFACT = fields(...same('artifactId', 'name', 'description', 'metadata', 'extensions'), ['parts', 'parts', each(toV03Part)])
const STATUS = fields(['state', 'state', toV03State], ['message', 'message', MESSAGE], ...same('timestamp'))
const TASK = fields(
  ...same('id', 'contextId', 'metadata'),
  ['status', 'status', STATUS],
  ['artifacts', 'artifacts', each(ARTIFACT)],
  ['history', 'history', each(MESSAGE)],
)
const STATUS_UPDATE = fields(...same('taskId', 'contextId', 'metadata'), ['status', 'status', STATUS])
const ARTIFACT_UPDATE = fields(...same('taskId', 'contextId', 'append', 'lastChunk', 'metadata'), ['artifact', 'artifact', ARTIFACT])

const EVENT: Convert = fields(
  ['task', 'task', TASK],
  ['message', 'message', MESSAGE],
  ['statusUpdate', 'statusUpdate', STATUS_UPDATE],
  ['artifactUpdate', 'artifactUpdate', ARTIFACT_UPDATE],
)

/** A state as the proto of 0.3 spells it. */
export function toV03State<State>(state: State): State | 'TASK_STATE_CANCELLED' {
  return state === 'TASK_STATE_CANCELED' ? 'TASK_STATE_CANCELLED' : state
}

/** A StreamResponse in the ProtoJSON of 0.3. `last`: the stream ends with it, which is what `final` says of a status update. */
export function toV03Event(payload: object, last: boolean): object {
  const event = EVENT(payload, 0) as object
  if (!isRecord(event) || !isRecord(event['statusUpdate'])) return event
  return { statusUpdate: { ...event['statusUpdate'], final: last } }
}

const NOTHING = () => ({})

/** What an operation answers, in the ProtoJSON of 0.3. */
export const TO_V03: Readonly<Partial<Record<OperationName, Convert>>> = {
  sendMessage: EVENT,
  getTask: TASK,
  cancelTask: TASK,
  createTaskPushNotificationConfig: toV03Config,
  getTaskPushNotificationConfig: toV03Config,
  listTaskPushNotificationConfigs: fields(['configs', 'configs', each(toV03Config)], ...same('nextPageToken')),
  deleteTaskPushNotificationConfig: NOTHING,
  // It is signed as it is.
  getExtendedAgentCard: (card) => card,
}

// Requests, from 0.3 to 1.0. A field that has a name of its own in JSON may come under the proto's too.

const SENT_MESSAGE = fields(...same('messageId', 'contextId', 'taskId', 'role', 'metadata', 'extensions'), [
  'content',
  'parts',
  each(fromV03Part),
])
const CONFIGURATION = fields(
  ...same('acceptedOutputModes'),
  ['pushNotification', 'taskPushNotificationConfig', fromV03Config],
  // The proto says it: "if 0, the history will be unlimited".
  ['historyLength', 'historyLength', (length) => (length === 0 || length === '0' ? undefined : length)],
  ['blocking', 'returnImmediately', (blocking) => (typeof blocking === 'boolean' ? !blocking : blocking)],
)
/** Unset, `blocking` is false: a configuration without it asks for an answer at once. */
const toConfiguration: Convert = (given) => (isRecord(given) ? { returnImmediately: true, ...(CONFIGURATION(given, 0) as object) } : given)
const SEND = fields(
  ['request', 'message', SENT_MESSAGE],
  ['message', 'message', SENT_MESSAGE],
  ['configuration', 'configuration', toConfiguration],
  ...same('metadata'),
)

/** What a request says besides its path, in the ProtoJSON of 1.0. */
export const FROM_V03: Readonly<Partial<Record<OperationName, Convert>>> = {
  sendMessage: SEND,
  sendStreamingMessage: SEND,
  getTask: fields(...same('historyLength')),
  createTaskPushNotificationConfig: fromV03ConfigRequest,
  listTaskPushNotificationConfigs: fields(...same('pageSize', 'pageToken')),
}
