import type { Redactor } from '@moorage/inbox'
import { auditRefusal } from '@moorage/inbox/receive'
import { InvalidParamsError } from '../errors.js'
import type { Call } from './call.js'
import type { OperationContext } from './context.js'
import { NO_PARTICIPANT, SECRET_ID } from './enter.js'
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

/**
 * Ids are never redacted, since they have to be found again; so none may be a secret. Nobody has asked yet which participant the caller is.
 * @param operation what the audit calls it, where it is one on a task
 * @throws InvalidParamsError that names the fields, and not what is in them
 */
export async function refuseSecretIds(
  { agent, redactor, store }: Pick<OperationContext, 'agent' | 'redactor' | 'store'>,
  request: object,
  { identity, participantHeader = '' }: Call,
  operation: string | undefined,
): Promise<void> {
  const given = FIELDS.flatMap((field) => valuesAt(request, field))
  const secret = [...given, { field: PARTICIPANT_HEADER, value: participantHeader }].filter(({ value }) => redactor.isSecret(value))
  if (secret.length === 0) return
  if (operation !== undefined) {
    const principal = { ...identity, participant: NO_PARTICIPANT }
    await auditRefusal(store, { agent: agent.id, principal, operation, reason: 'secret-id', taskId: taskOf(redactor, request) })
  }
  throw new InvalidParamsError(secret.map(({ field }) => ({ field, description: SECRET_ID })))
}

/** The task that the request is for; undefined where that id is the secret. */
function taskOf(redactor: Redactor, request: object): string | undefined {
  const [given] = ['message.taskId', 'taskId', 'id'].flatMap((field) => valuesAt(request, field))
  return given === undefined || redactor.isSecret(given.value) ? undefined : given.value
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
