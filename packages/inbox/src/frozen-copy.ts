import { isPlain } from './is-plain.js'

/** A copy whose objects and lists are frozen, to any depth. What is neither, such as a function, is taken as it is. */
export function frozenCopy<T>(value: T): T {
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as T
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value
  return Object.freeze(Object.fromEntries(Object.entries(value).map(([name, field]) => [name, frozenCopy(field)]))) as T
}
