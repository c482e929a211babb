import { randomUUID } from 'node:crypto'
import type { Fields } from '../wire/forms.js'

/** As the kit does: one suffix for the whole run, so that the same message id comes again and again. */
const SESSION = randomUUID().slice(0, 8)

export function kitId(name: string): string {
  return `tck-${name}-${SESSION}`
}

/** A message of the kit; its id is what its agent goes by. */
export function kitMessage(name: string, text: string, fields: Fields = {}): Fields {
  return { role: 'ROLE_USER', parts: [{ text }], messageId: kitId(name), ...fields }
}
