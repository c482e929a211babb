import { isPlain } from '../is-plain.js'
import { MARK } from './mark.js'
import { namesSecret } from './secret-names.js'

/**
 * The value with every string in it redacted, names of fields too; the same object where nothing was. A string under the name of a secret is one
 * whatever it looks like.
 */
export function redactJson(value: unknown, text: (text: string) => string): unknown {
  if (typeof value === 'string') return text(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return redactList(value, text)
  // Dates and classes are left to whoever refuses them.
  return isPlain(value) ? redactObject(value, text) : value
}

function redactList(list: readonly unknown[], text: (text: string) => string): readonly unknown[] {
  const redacted = list.map((item) => redactJson(item, text))
  return redacted.some((item, index) => item !== list[index]) ? redacted : list
}

function redactObject(object: object, text: (text: string) => string): object {
  let changed = false
  const fields = Object.entries(object).map(([name, value]: [string, unknown]) => {
    const redactedName = text(name)
    const redacted = typeof value === 'string' && value !== '' && namesSecret(name) ? MARK : redactJson(value, text)
    if (redactedName !== name || redacted !== value) changed = true
    return [redactedName, redacted] as const
  })
  return changed ? Object.fromEntries(fields) : object
}
