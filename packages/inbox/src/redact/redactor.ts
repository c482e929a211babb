import type { MessageJson, PartJson } from '@moorage/protocol'
import { formsOf, patternOf, SHORTEST_SECRET } from './configured-secrets.js'
import { findSecrets, markSpans } from './find-secrets.js'
import { redactBytes } from './redact-bytes.js'
import { redactJson } from './redact-json.js'
import { TextRedaction } from './text-redaction.js'

/**
 * Puts `[redacted]` in the place of secrets: bearer tokens, JWTs, keys of well-known vendors, `name=value` with the name of a secret, private
 * keys, credentials in URLs, and those that it was told. What is redacted already stays as it is.
 */
export interface Redactor {
  text(text: string): string
  /** Every string of a JSON value; the same object where there was nothing to redact. */
  json<Value>(value: Value): Value
  /** Every string of the part, and bytes that are a text. */
  part(part: PartJson): PartJson
  /** Every string of the message but its ids and its role, which are never changed. */
  message(message: MessageJson): MessageJson
  /** Whether a text, such as an id, has a secret in it. */
  isSecret(text: string): boolean
  /** Redacts a text that comes in pieces, wherever they are cut. */
  stream(): TextRedaction
}

/**
 * @param secrets texts that are secrets whatever they look like; those of an operator's configuration
 * @throws TypeError for one of less than six characters, which would be found everywhere
 */
export function createRedactor(secrets: readonly string[] = []): Redactor {
  const short = secrets.findIndex((secret) => secret.trim().length < SHORTEST_SECRET)
  if (short !== -1) throw new TypeError(`createRedactor: secrets[${short}] must have at least ${SHORTEST_SECRET} characters`)
  const forms = [...new Set(secrets.flatMap(formsOf))]
  const configured = { forms, pattern: patternOf(forms) }
  const text = (given: string): string => markSpans(given, findSecrets(given, configured.pattern))
  const json = <Value>(value: Value): Value => redactJson(value, text) as Value

  function part(given: PartJson): PartJson {
    if (!('raw' in given)) return json(given)
    const { raw, ...fields } = given
    const redacted = redactBytes(raw, text)
    const others = json(fields)
    return redacted === raw && others === fields ? given : ({ ...others, raw: redacted } as PartJson)
  }

  return Object.freeze({
    text,
    json,
    part,
    message({ parts, messageId, role, taskId, contextId, referenceTaskIds, ...fields }: MessageJson): MessageJson {
      const ids = {
        messageId,
        role,
        ...(taskId !== undefined && { taskId }),
        ...(contextId !== undefined && { contextId }),
        ...(referenceTaskIds !== undefined && { referenceTaskIds }),
      }
      return { ...json(fields), ...ids, parts: parts.map(part) }
    },
    isSecret: (given: string) => text(given) !== given,
    stream: () => new TextRedaction(configured),
  })
}
