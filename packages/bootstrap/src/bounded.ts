import { cut } from './cut.js'
import { errorFields } from './error-fields.js'

const MAX_CHARACTERS = 16_384
const MAX_KEY = 256
const MAX_DEPTH = 8
/** What a value takes besides its texts: many small ones are much as well. */
const EACH = 8

/** A copy of a value for the log, of about 16,384 characters at most; it says where something was left out. */
export function bounded(value: unknown): unknown {
  return copy(value, { left: MAX_CHARACTERS }, 0)
}

interface Room {
  left: number
}

function copy(value: unknown, room: Room, depth: number): unknown {
  room.left -= EACH
  if (typeof value === 'string') return copyText(value, room)
  if (typeof value === 'bigint') return copyText(String(value), room)
  if (typeof value !== 'object' || value === null) return value
  if (ArrayBuffer.isView(value)) return `(${value.byteLength} bytes)`
  if (depth === MAX_DEPTH) return '…'
  if (Array.isArray(value)) return copyItems(value, room, depth)
  if (value instanceof Error) return copyFields(errorFields(value), room, depth)
  if ('toJSON' in value && typeof value.toJSON === 'function') return copy(value.toJSON(), room, depth + 1)
  return copyFields(value, room, depth)
}

function copyText(text: string, room: Room): string {
  const told = cut(text, Math.max(room.left, 0))
  room.left -= told.length
  return told
}

function copyItems(items: readonly unknown[], room: Room, depth: number): readonly unknown[] {
  const told: unknown[] = []
  for (const item of items) {
    if (room.left <= 0) return [...told, `… (${items.length - told.length} more)`]
    told.push(copy(item, room, depth + 1))
  }
  return told
}

function copyFields(fields: object, room: Room, depth: number): object {
  const entries: [string, unknown][] = []
  const all = Object.entries(fields)
  for (const [key, value] of all) {
    if (room.left <= 0) return Object.fromEntries([...entries, ['…', `(${all.length - entries.length} more)`]])
    const name = cut(key, MAX_KEY)
    room.left -= name.length
    entries.push([name, copy(value, room, depth + 1)])
  }
  return Object.fromEntries(entries)
}
