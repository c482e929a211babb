import { identifier, type JsonObject } from '@moorage/protocol'
import { invalidParam } from '../errors.js'
import type { Call } from './call.js'

/** Where a request can name the participant that acts. */
export interface NamingFields {
  /** The metadata of its message. */
  readonly message?: { readonly metadata?: JsonObject }
  readonly metadata?: JsonObject
}

export interface NamedParticipant {
  readonly field: string
  readonly name: string
}

export const PARTICIPANT_HEADER = 'X-Participant-Id'

/**
 * The participant that a request names, by its header or its metadata, and the field that does; undefined where it names none.
 * @throws InvalidParamsError for what is no name, and where two of them differ
 */
export function namedParticipant(
  { participantHeader: header, metadata: unread }: Pick<Call, 'participantHeader' | 'metadata'>,
  { message, metadata = unread }: NamingFields,
): NamedParticipant | undefined {
  const given = [
    [PARTICIPANT_HEADER, header && decodeHeader(header)],
    ['message.metadata.participantId', message?.metadata?.['participantId']],
    ['metadata.participantId', metadata?.['participantId']],
  ] as const
  let first: NamedParticipant | undefined
  for (const [field, value] of given) {
    if (value === undefined || value === null || value === '') continue
    const name = readName(field, value)
    if (first !== undefined && first.name !== name) throw invalidParam(field, `Name one participant: it differs from ${first.field}.`)
    first ??= { field, name }
  }
  return first
}

/** A header comes as bytes, one a character: in UTF-8 it says every name that the metadata can say. */
function decodeHeader(header: string): string {
  try {
    const bytes = Uint8Array.from(header, (character) => character.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw invalidParam(PARTICIPANT_HEADER, 'Send the name in UTF-8.')
  }
}

function readName(field: string, value: unknown): string {
  const parsed = identifier.safeParse(value)
  if (parsed.success) return parsed.data
  throw invalidParam(field, 'Give a non-empty string of at most 256 characters, without control characters.')
}
