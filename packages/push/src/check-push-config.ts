import { type FieldViolation, fieldViolations, type TaskPushNotificationConfigJson } from '@moorage/protocol'
import { z } from 'zod'

const LONGEST_URL = 2048
const LONGEST_SECRET = 4096
const LONGEST_SCHEME = 64

const SECRET_RULE = `Give at most ${LONGEST_SECRET} printable ASCII characters: it is sent in a header.`
const secret = z.string().regex(new RegExp(`^[\\x20-\\x7e]{1,${LONGEST_SECRET}}$`), { error: SECRET_RULE })

/** A token of HTTP (RFC 9110 §11.1), such as `Bearer`. */
const scheme = z.string().regex(new RegExp(`^[\\w!#$%&'*+.^\`|~-]{1,${LONGEST_SCHEME}}$`), {
  error: `Give the name of an HTTP authentication scheme, such as Bearer, of at most ${LONGEST_SCHEME} characters.`,
})

const url = z.string().superRefine((text, context) => {
  const fault = urlFault(text)
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault })
})

/** As the last segment of a path, encoded too, a URL takes these two for something else (A2A §11.3 has the id there). */
const id = z.string().refine((text) => text !== '.' && text !== '..', { error: 'Give an id other than . and .., which no path can carry.' })

const schema = z.object({
  id: id.exactOptional(),
  url,
  token: secret.exactOptional(),
  authentication: z.object({ scheme, credentials: secret.exactOptional() }).exactOptional(),
})

/** Userinfo would be shown with the URL on every read. */
function urlFault(text: string): string | undefined {
  if (text.length > LONGEST_URL) return `Give a URL of at most ${LONGEST_URL} characters.`
  const parsed = URL.canParse(text) ? new URL(text) : undefined
  if (parsed === undefined || !/^https?:\/\/[\x21-\x7e]+$/i.test(text)) {
    return 'Give an absolute http or https URL, with what is not ASCII percent-encoded.'
  }
  if (parsed.username !== '' || parsed.password !== '') return 'Leave user and password out of the URL: give them in authentication.'
  return undefined
}

/**
 * What is wrong with a config beyond its form on the wire: an address nothing could be sent to, an id that no path carries, secrets that no
 * header does. The address is not looked up. None where nothing is wrong.
 * @param root the path of the config in the request, such as `configuration.taskPushNotificationConfig`
 */
export function checkPushConfig(config: TaskPushNotificationConfigJson, root = ''): readonly FieldViolation[] {
  const checked = schema.safeParse(config)
  return checked.success ? [] : fieldViolations(checked.error, root)
}
