import type { Redactor } from '@moorage/inbox'
import { InvalidParamsError } from '../errors.js'
import type { Call } from './call.js'
import { PARTICIPANT_HEADER } from './named-participant.js'

/** Where requests have what is recorded as it is: ids and names. A name that ends in `*` is a list's. */
const FIELDS = [
  'tenant',
  'id',
  'taskId',
  'contextId',
  'message.messageId',
  'message.taskId',
  'message.contextId',
  'message.referenceTaskIds.*',
  'message.metadata.participantId',
  'metadata.participantId',
  'configuration.taskPushNotificationConfig.id',
  'configuration.taskPushNotificationConfig.taskId',
] as const

const DESCRIPTION = 'This looks like a secret, and would be recorded: give another one.'

/**
 * Ids are never redacted, since they have to be found again; so none may be a secret.
 * @throws InvalidParamsError that names the fields, and not what is in them
 */
export function refuseSecretIds(redactor: Redactor, request: object, { participantHeader = '' }: Call): void {
  const given = FIELDS.flatMap((field) => valuesAt(request, field))
  const secret = [...given, { field: PARTICIPANT_HEADER, value: participantHeader }].filter(({ value }) => redactor.isSecret(value))
  if (secret.length > 0) throw new InvalidParamsError(secret.map(({ field }) => ({ field, description: DESCRIPTION })))
}

function valuesAt(request: object, path: string): readonly { readonly field: string; readonly value: string }[] {
  const [list, ...isList] = path.split('.*')
  const value = (list ?? '')
    .split('.')
    .reduce<unknown>((object, name) => (Object(object) as Readonly<Record<string, unknown>>)[name], request)
  if (isList.length > 0 && Array.isArray(value))
    return value.map((item: unknown, index) => ({ field: `${list}[${index}]`, value: String(item) }))
  return typeof value === 'string' ? [{ field: path, value }] : []
}
