import type { Json } from '@moorage/protocol'
import { MisuseError } from './misuse-error.js'

const DEEPEST = 100

/**
 * The value as it is recorded and as a later attempt gets it: undefined becomes null, fields that are undefined are left out.
 * @throws MisuseError that names the place which is not JSON.
 */
export function toStepValue(name: string, value: unknown): Json {
  return value === undefined ? null : toJson(value, `turn.step(${JSON.stringify(name)}): the value`, 0)
}

function toJson(value: unknown, where: string, depth: number): Json {
  if (depth > DEEPEST) throw new MisuseError(`${where} is nested too deeply, or contains itself`)
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value
    throw new MisuseError(`${where} is ${value}, which JSON cannot hold`)
  }
  if (Array.isArray(value)) return value.map((item, index) => toJson(item, `${where}[${index}]`, depth + 1))
  if (isPlainObject(value)) return toJsonObject(value, where, depth)
  throw new MisuseError(`${where} is ${describe(value)}; give JSON: null, booleans, numbers, strings, arrays and plain objects`)
}

function toJsonObject(value: Readonly<Record<string, unknown>>, where: string, depth: number): Json {
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(fields.map(([key, field]) => [key, toJson(field, `${where}.${key}`, depth + 1)]))
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

function describe(value: unknown): string {
  if (typeof value === 'object') return `an instance of ${value?.constructor?.name ?? 'a class'}`
  return `a ${typeof value}`
}
