import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { DataConverter, Payload, PayloadCodec } from '@temporalio/common'
import proto from '@temporalio/proto'
import type { Logger } from './logger.js'
import type { EncryptionKey, EncryptionOptions, TemporalOptions } from './temporal-options.js'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** The marks of Temporal's own samples, so that their codec servers show what is encrypted here in Temporal's UI and CLI. */
const ENCODING = 'binary/encrypted'
const KEY_ID = 'encryption-key-id'

/** How the error of a missing key begins, in the log and in the failures of Workflow Tasks. */
export const MISSING_KEY = 'A payload is encrypted with the key'
const LACKS = 'which temporal.encryption.keys (MOORAGE_PAYLOAD_KEYS) lacks: add it behind the first key'
const UNSET = 'and temporal.encryption (MOORAGE_PAYLOAD_KEYS) is not set: set it as in the other processes'

const { Payload: PayloadProto } = proto.temporal.api.common.v1

/** What a worker and a waker take to encrypt what Temporal keeps. `logger` hears once of each key that is missing, as all are without keys. */
export function dataConverterOf({ encryption }: Pick<TemporalOptions, 'encryption'>, logger: Logger): DataConverter {
  return { payloadCodecs: [new PayloadEncryption(encryption, logger)] }
}

/**
 * Encrypts whole payloads: a nonce of 12 bytes, then AES-256-GCM over the payload with its metadata, then the tag. No data is associated: a
 * payload that somebody moves to another task holds positions only, and the store decides what they are worth. Without keys it encrypts nothing,
 * and is there to say what is missing where another process has them.
 */
export class PayloadEncryption implements PayloadCodec {
  readonly #first: EncryptionKey | undefined
  readonly #keys: ReadonlyMap<string, EncryptionKey>
  readonly #logger: Logger
  readonly #missed = new Set<string>()

  /** @throws TypeError that names the key which is wrong. */
  constructor(encryption: EncryptionOptions | undefined, logger: Logger) {
    this.#logger = logger
    const keys = encryption?.keys ?? []
    if (encryption && keys.length === 0) throw new TypeError('temporal.encryption.keys must have at least one key')
    for (const [index, key] of keys.entries()) checkKey(key, `temporal.encryption.keys[${index}]`)
    this.#first = keys[0]
    this.#keys = new Map(keys.map((key) => [key.id, key]))
    if (this.#keys.size < keys.length) throw new TypeError('temporal.encryption.keys has two keys with one id; give each its own')
  }

  async encode(payloads: Payload[]): Promise<Payload[]> {
    const first = this.#first
    return first ? payloads.map((payload) => encrypt(payload, first)) : payloads
  }

  /** Payloads in plain text, from before there were keys, pass as they are. */
  async decode(payloads: Payload[]): Promise<Payload[]> {
    return payloads.map((payload) => (textOf(payload, 'encoding') === ENCODING ? this.#decrypt(payload) : payload))
  }

  #decrypt(payload: Payload): Payload {
    const id = textOf(payload, KEY_ID)
    const key = this.#keys.get(id)
    if (!key) throw this.#miss(id)
    return decrypt(payload, key)
  }

  /** Temporal tries again and again, and gets to keep the error. */
  #miss(id: string): Error {
    const message = `${MISSING_KEY} "${id}", ${this.#first ? LACKS : UNSET}`
    if (!this.#missed.has(id)) this.#logger.error({ keyId: id }, message)
    this.#missed.add(id)
    return bare(new Error(message))
  }
}

function checkKey({ id, key }: EncryptionKey, where: string): void {
  if (typeof id !== 'string' || id === '') throw new TypeError(`${where}.id must be a non-empty string`)
  if (key instanceof Uint8Array && key.length === KEY_BYTES) return
  throw new TypeError(`${where}.key (id "${id}") must be ${KEY_BYTES} bytes; it is ${key instanceof Uint8Array ? key.length : typeof key}`)
}

function encrypt(payload: Payload, { id, key }: EncryptionKey): Payload {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce)
  const sealed = [nonce, cipher.update(PayloadProto.encode(payload).finish()), cipher.final(), cipher.getAuthTag()]
  return { metadata: { encoding: Buffer.from(ENCODING), [KEY_ID]: Buffer.from(id) }, data: Buffer.concat(sealed) }
}

function decrypt({ data }: Payload, { id, key }: EncryptionKey): Payload {
  const sealed = data ?? new Uint8Array()
  try {
    const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
    return PayloadProto.decode(Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]))
  } catch (cause) {
    throw new Error(`A payload does not open with the key "${id}": it was damaged, or another process has other bytes under that id`, {
      cause,
    })
  }
}

/** Without a stack: it would be kept by Temporal. */
function bare(error: Error): Error {
  error.stack = ''
  return error
}

function textOf({ metadata }: Payload, field: string): string {
  return Buffer.from(metadata?.[field] ?? []).toString()
}
