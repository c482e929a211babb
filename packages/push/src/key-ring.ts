import { fromBase64, toBase64 } from './base64.js'
import { PushError } from './push-error.js'

/** A key for the secrets of push notification configs. */
export interface PushKey {
  /** Letters, digits, `.`, `_` and `-`, at most 64: it is kept beside what the key sealed. */
  readonly id: string
  /** 32 bytes. */
  readonly key: Uint8Array
}

/** The config that the secrets belong to: sealed for one, they cannot be opened for another, nor for another address. */
export interface ConfigIdentity {
  readonly taskId: string
  readonly id: string
  readonly url: string
}

/** Seals with its first key, and opens with any (AES-256-GCM). It gives no key away. */
export interface PushKeyRing {
  seal(text: string, identity: ConfigIdentity): Promise<string>
  /** @throws PushError where the key is missing, or what was sealed is not of this config */
  open(sealed: string, identity: ConfigIdentity): Promise<string>
}

/** WebCrypto's own type has no global name in every environment. */
type ImportedKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

const KEY_BYTES = 32
const IV_BYTES = 12
const AES = 'AES-GCM'

/**
 * A ring of keys. To rotate, add the new key behind the others in every process, then put it first, and leave the old ones behind it for as
 * long as something is sealed with them.
 * @throws TypeError that names what is wrong with the keys
 */
export function createPushKeyRing(keys: readonly PushKey[]): PushKeyRing {
  const [first] = keys
  if (first === undefined) throw new TypeError('createPushKeyRing: keys must have at least one key')
  for (const [index, key] of keys.entries()) checkKey(key, index, keys)
  const imported = new Map(keys.map(({ id, key }) => [id, importLater(Uint8Array.from(key))]))

  return {
    async seal(text, identity) {
      const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
      const key = await keyOf(first.id, identity)
      const sealed = new Uint8Array(await crypto.subtle.encrypt(parameters(iv, identity), key, encode(text)))
      return `${first.id}:${toBase64(iv)}:${toBase64(sealed)}`
    },
    async open(sealed, identity) {
      const [keyId = '', iv = '', text = ''] = sealed.split(':')
      const key = await keyOf(keyId, identity)
      try {
        return decode(await crypto.subtle.decrypt(parameters(fromBase64(iv), identity), key, fromBase64(text)))
      } catch (error) {
        const message = `The secrets of ${nameOf(identity)} cannot be opened with the key ${keyId}: it is not the key that sealed them, or they were changed. Register the config again`
        throw new PushError('unreadable', message, { cause: error })
      }
    },
  }

  function keyOf(id: string, identity: ConfigIdentity): Promise<ImportedKey> {
    const key = imported.get(id)
    if (key !== undefined) return key()
    throw new PushError(
      'unknown-key',
      `The secrets of ${nameOf(identity)} are sealed with the key ${id}, which is missing: give that key too, behind the first one`,
    )
  }
}

function checkKey({ id, key }: PushKey, index: number, keys: readonly PushKey[]): void {
  const fault = (field: string, rule: string) => new TypeError(`createPushKeyRing: keys[${index}].${field} must ${rule}`)
  if (!/^[\w.-]{1,64}$/.test(id)) throw fault('id', 'be 1 to 64 letters, digits, ".", "_" or "-"')
  if (keys.findIndex((other) => other.id === id) !== index) throw fault('id', `be another one than that of an earlier key (${id})`)
  if (key.length !== KEY_BYTES) throw fault('key', `have ${KEY_BYTES} bytes; it has ${key.length}`)
}

/** The key for WebCrypto, made once it is needed: nobody can read its bytes from it. */
function importLater(bytes: Uint8Array<ArrayBuffer>): () => Promise<ImportedKey> {
  let key: Promise<ImportedKey> | undefined
  return () => (key ??= crypto.subtle.importKey('raw', bytes, AES, false, ['encrypt', 'decrypt']))
}

/** Whoever can write to the store could else send the secrets of one config to the address of another. */
function parameters(iv: Uint8Array<ArrayBuffer>, { taskId, id, url }: ConfigIdentity) {
  return { name: AES, iv, additionalData: encode(JSON.stringify(['push-config:v1', taskId, id, url])) }
}

function nameOf({ taskId, id }: ConfigIdentity): string {
  return `push notification config ${id} of task ${taskId}`
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(new TextEncoder().encode(text))
}

function decode(bytes: ArrayBuffer): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
}
