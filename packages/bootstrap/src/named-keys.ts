import { z } from 'zod'

/** A key of a ring: the first of several encrypts, all decrypt. */
export interface NamedKey {
  readonly id: string
  /** 32 bytes. */
  readonly key: Uint8Array
}

const FORM = 'must be id:key pairs with commas between them, each key 32 bytes in base64, such as 2026-01:$(openssl rand -base64 32)'

/** The schema of a variable that holds keys; its messages show ids and never a key. */
export const namedKeys: z.ZodType<readonly NamedKey[], string> = z.string().transform((text, context) => {
  const keys: NamedKey[] = []
  for (const [index, entry] of text.split(',').entries()) {
    const fault = addKey(keys, entry.trim())
    if (fault !== undefined) context.addIssue(`${FORM}; entry ${index + 1} ${fault}`)
  }
  return keys
})

function addKey(keys: NamedKey[], entry: string): string | undefined {
  const [, id, encoded] = /^([\w.-]{1,64}):([A-Za-z0-9+/]+={0,2})$/.exec(entry) ?? []
  if (id === undefined || encoded === undefined) return 'is no such pair'
  if (keys.some((key) => key.id === id)) return `has the id ${id} again`
  const key = new Uint8Array(Buffer.from(encoded, 'base64'))
  if (key.length !== 32) return `(${id}) has ${key.length} bytes`
  keys.push({ id, key })
  return undefined
}
