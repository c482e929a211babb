import { ContentTypeNotSupportedError } from '@a2a-js/sdk/errors'
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

/** Runs an operation, and names the fields that it refuses as the caller does. */
export async function inTermsOf<Result>(names: FieldNames, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof ContentTypeNotSupportedError) throw ofNamedPart(names, error)
    if (!(error instanceof InvalidParamsError)) throw error
    throw new InvalidParamsError(error.violations.map(({ field, description }) => ({ field: rename(names, field), description })))
  }
}

function ofNamedPart(names: FieldNames, error: ContentTypeNotSupportedError): Error {
  const field = error.metadata?.['field']
  if (field === undefined) return error
  const renamed = rename(names, field)
  return new ContentTypeNotSupportedError({ message: error.message.replace(field, () => renamed), metadata: { field: renamed } })
}

function rename(names: FieldNames, field: string): string {
  const [pattern, name] = names.find(([candidate]) => candidate.test(field)) ?? []
  return pattern === undefined || name === undefined ? field : field.replace(pattern, name)
}
