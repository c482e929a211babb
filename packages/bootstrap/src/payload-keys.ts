import { z } from 'zod'

/** A key for what Temporal keeps. */
export interface PayloadKey {
  readonly id: string
  /** 32 bytes. */
  readonly key: Uint8Array
}

const FORM = 'must be id:key pairs with commas between them, each key 32 bytes in base64, such as 2026-01:$(openssl rand -base64 32)'

/** The schema of MOORAGE_PAYLOAD_KEYS; its messages show ids and never a key. */
export const payloadKeys: z.ZodType<readonly PayloadKey[], string> = z.string().transform((text, context) => {
  const keys: PayloadKey[] = []
  for (const [index, entry] of text.split(',').entries()) {
    const fault = addKey(keys, entry.trim())
    if (fault !== undefined) context.addIssue(`${FORM}; entry ${index + 1} ${fault}`)
  }
  return keys
})

function addKey(keys: PayloadKey[], entry: string): string | undefined {
  const [, id, encoded] = /^([\w.-]{1,64}):([A-Za-z0-9+/]+={0,2})$/.exec(entry) ?? []
  if (id === undefined || encoded === undefined) return 'is no such pair'
  if (keys.some((key) => key.id === id)) return `has the id ${id} again`
  const key = new Uint8Array(Buffer.from(encoded, 'base64'))
  if (key.length !== 32) return `(${id}) has ${key.length} bytes`
  keys.push({ id, key })
  return undefined
}
