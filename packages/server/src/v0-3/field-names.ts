import { type A2AError, ContentTypeNotSupportedError, TaskNotCancelableError, UnsupportedOperationError } from '@a2a-js/sdk/errors'
import type { FieldViolation } from '@moorage/protocol'
import { InvalidParamsError } from '../errors.js'

/** A field's name in 1.0, as a pattern, and the same field's in 0.3. The first that fits is taken. */
export type FieldNames = readonly (readonly [RegExp, string])[]

/** How a binding of 0.3 names what 1.0 names otherwise. */
interface MessageNames {
  readonly parts: string
  readonly bytes: string
  readonly uri: string
  readonly pushConfig: string
}

/** The names of the fields of a request that sends a message. */
export function messageNames({ parts, bytes, uri, pushConfig }: MessageNames): FieldNames {
  const inFile = Object.entries({ raw: bytes, url: uri, filename: 'name', mediaType: 'mimeType' })
  return [
    ...inFile.map(([from, to]) => [new RegExp(`^message\\.parts\\[(\\d+)\\]\\.${from}$`), `message.${parts}[$1].file.${to}`] as const),
    [/^message\.parts/, `message.${parts}`],
    [/^configuration\.returnImmediately$/, 'configuration.blocking'],
    [/^configuration\.taskPushNotificationConfig\.authentication\.scheme$/, `configuration.${pushConfig}.authentication.schemes`],
    [/^configuration\.taskPushNotificationConfig/, `configuration.${pushConfig}`],
  ]
}

/** How a binding of 0.3 says what 1.0 says otherwise. */
export interface Terms {
  readonly fields: FieldNames
  /** An enum's value, by its name in 1.0. */
  readonly enumValue: (name: string) => string
}

/** Runs an operation, and names fields, roles and states in what it refuses as the caller does. */
export async function inTermsOf<Result>(terms: Terms, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof InvalidParamsError) throw new InvalidParamsError(error.violations.map((violation) => inTerms(terms, violation)))
    for (const Named of WITH_NAMES) if (error instanceof Named) throw new Named(renamed(terms, error))
    throw error
  }
}

function inTerms({ fields, enumValue }: Terms, { field, description }: FieldViolation): FieldViolation {
  // Elsewhere a description may be the agent's own.
  const said = field === 'message.role' ? description.replace(/\bROLE_[A-Z]+\b/g, enumValue) : description
  return { field: rename(fields, field), description: said }
}

/** The errors whose message has a name of their metadata in it. */
const WITH_NAMES = [ContentTypeNotSupportedError, TaskNotCancelableError, UnsupportedOperationError]

function renamed({ fields, enumValue }: Terms, { message, metadata }: A2AError) {
  const { field, state } = metadata ?? {}
  const said = { ...(field && { field: rename(fields, field) }), ...(state && { state: enumValue(state) }) }
  return {
    message: Object.entries(said).reduce((text, [key, name]) => text.replace(metadata?.[key] ?? '', () => name), message),
    ...(metadata && { metadata: { ...metadata, ...said } }),
  }
}

function rename(names: FieldNames, field: string): string {
  const [pattern, name] = names.find(([candidate]) => candidate.test(field)) ?? []
  return pattern === undefined || name === undefined ? field : field.replace(pattern, name)
}
