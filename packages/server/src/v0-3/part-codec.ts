import { invalidParam } from '../errors.js'
import { type Convert, fields, isRecord, readField } from './convert-fields.js'

/** Tells that a data part's value is no JSON object, which 0.3 has nothing else for: it is then the object's `value`. The SDK's word. */
const WRAPPED = 'data_part_compat'

const TO_FILE = fields(['raw', 'fileWithBytes'], ['url', 'fileWithUri'], ['mediaType', 'mimeType'])
const FROM_FILE = fields(['fileWithBytes', 'raw'], ['fileWithUri', 'url'], ['mimeType', 'mediaType'], ['name', 'filename'])

/** A Part of 1.0 in the ProtoJSON of 0.3, whose proto has room for neither metadata nor a file's name: its parsers refuse unknown fields. */
export const toV03Part: Convert = (part) => {
  if (!isRecord(part)) return part
  if (Object.hasOwn(part, 'text')) return { text: part['text'] }
  if (!Object.hasOwn(part, 'data')) return { file: TO_FILE(part, 0) }
  return { data: { data: isRecord(part['data']) ? part['data'] : { value: part['data'] } } }
}

/** A Part of a message in the ProtoJSON of 0.3 in that of 1.0. @throws InvalidParamsError for what 1.0 would take and 0.3 does not */
export const fromV03Part: Convert = (part, index) => {
  if (!isRecord(part)) return part
  const [file, data] = [readField(part, 'file'), readField(part, 'data')]
  const converted = PLAIN(part, index) as Readonly<Record<string, unknown>>
  return { ...converted, ...(file !== undefined && fromFile(file, index)), ...(data !== undefined && fromData(data, converted, index)) }
}

const PLAIN = fields(['text', 'text'], ['metadata', 'metadata'])

function fromFile(file: unknown, index: number): object {
  if (isRecord(file)) return FROM_FILE(file, index) as object
  throw invalidParam(`message.content[${index}].file`, 'Give a JSON object.')
}

function fromData(part: unknown, { metadata }: Readonly<Record<string, unknown>>, index: number): object {
  const data = isRecord(part) ? readField(part, 'data') : undefined
  if (!isRecord(data)) throw invalidParam(`message.content[${index}].data.data`, 'Give a JSON object.')
  if (!isRecord(metadata) || metadata[WRAPPED] !== true || !Object.hasOwn(data, 'value')) return { data }
  const { [WRAPPED]: _, ...others } = metadata
  return { data: data['value'], metadata: Object.keys(others).length === 0 ? undefined : others }
}
