import { identifier, type JsonObject } from '@moorage/protocol'
import { invalidParam } from '../errors.js'

/** Where a request can name the participant that acts. */
export interface NamingFields {
  /** The metadata of its message. */
  readonly message?: { readonly metadata?: JsonObject }
  readonly metadata?: JsonObject
}

export const PARTICIPANT_HEADER = 'X-Participant-Id'

/**
 * The participant that a request names, by its header or its metadata; undefined where it names none.
 * @throws InvalidParamsError for what is no name, and where two of them differ
 */
export function namedParticipant(header: string | undefined, { message, metadata }: NamingFields): string | undefined {
  const given = [
    [PARTICIPANT_HEADER, header],
    ['message.metadata.participantId', message?.metadata?.['participantId']],
    ['metadata.participantId', metadata?.['participantId']],
  ] as const
  let first: { readonly field: string; readonly name: string } | undefined
  for (const [field, value] of given) {
    if (value === undefined || value === null || value === '') continue
    const name = readName(field, value)
    if (first !== undefined && first.name !== name) throw invalidParam(field, `Name one participant: it differs from ${first.field}.`)
    first ??= { field, name }
  }
  return first?.name
}

function readName(field: string, value: unknown): string {
  const parsed = identifier.safeParse(value)
  if (parsed.success) return parsed.data
  throw invalidParam(field, 'Give a non-empty string of at most 256 characters, without control characters.')
}
