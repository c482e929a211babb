import { invalidParam } from '../errors.js'
import { type Convert, fields, isRecord, readField } from './convert-fields.js'

/** 1.0 has one scheme; of several, the first counts, as for the SDK. */
const FROM_AUTHENTICATION = fields(
  ['schemes', 'scheme', (schemes) => (Array.isArray(schemes) ? schemes[0] : false)],
  ['credentials', 'credentials'],
)
const TO_AUTHENTICATION = fields(['scheme', 'schemes', (scheme) => [scheme]], ['credentials', 'credentials'])

/** A PushNotificationConfig of 0.3 in the flat form of 1.0. */
export const fromV03Config: Convert = fields(
  ['id', 'id'],
  ['url', 'url'],
  ['token', 'token'],
  ['authentication', 'authentication', FROM_AUTHENTICATION],
)

const NESTED = fields(['id', 'id'], ['url', 'url'], ['token', 'token'], ['authentication', 'authentication', TO_AUTHENTICATION])

/** A config of 1.0 in the form of 0.3: nested, under the name of a resource. */
export const toV03Config: Convert = (config) =>
  isRecord(config)
    ? {
        name: `tasks/${String(config['taskId'])}/pushNotificationConfigs/${String(config['id'])}`,
        pushNotificationConfig: NESTED(config, 0),
      }
    : config

const NAME = /^tasks\/([^/]+)(?:\/pushNotificationConfigs\/([^/]*))?$/

/**
 * A TaskPushNotificationConfig of 0.3, or one in `config`, as the prose of 0.3 and some clients have it.
 * @throws InvalidParamsError for a name of another form
 */
export const fromV03ConfigRequest: Convert = (body) => {
  if (!isRecord(body)) return body
  const wrapped = readField(body, 'config')
  const config = isRecord(wrapped) ? wrapped : body
  const name = readField(config, 'name') ?? ''
  const [, taskId, id] = typeof name === 'string' && name !== '' ? (NAME.exec(name) ?? malformedName()) : []
  const named = { taskId: taskId || undefined, id: readField(body, 'configId') ?? (id || undefined) }
  const nested = readField(config, 'pushNotificationConfig')
  const flat = nested === undefined ? {} : fromV03Config(nested, 0)
  if (!isRecord(flat)) throw invalidParam('pushNotificationConfig', 'Give a JSON object.')
  return { ...named, ...flat, ...(flat['id'] === '' && { id: named.id }) }
}

function malformedName(): never {
  throw invalidParam('name', 'Give tasks/{id}/pushNotificationConfigs/{id}, or leave it out: the path says it.')
}
