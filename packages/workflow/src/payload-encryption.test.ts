import { defaultPayloadConverter, type Payload } from '@temporalio/common'
import { describe, expect, test } from 'vitest'
import { SILENT } from './logger.js'
import { dataConverterOf, PayloadEncryption } from './payload-encryption.js'

const old = { id: 'old', key: new Uint8Array(32).fill(1) }
const current = { id: 'current', key: new Uint8Array(32).fill(2) }
const value = { taskId: 'a task', unhandled: [{ position: 1, kind: 'message' }] }
const plain = defaultPayloadConverter.toPayload(value)

async function seal(...keys: (typeof old)[]): Promise<Payload> {
  const [sealed] = await new PayloadEncryption({ keys }, SILENT).encode([plain])
  return sealed ?? {}
}

async function open(payload: Payload, ...keys: (typeof old)[]): Promise<unknown> {
  const [opened] = await new PayloadEncryption({ keys }, SILENT).decode([payload])
  return defaultPayloadConverter.fromPayload(opened ?? {})
}

function textOf(bytes: Uint8Array | null | undefined): string {
  return Buffer.from(bytes ?? []).toString('latin1')
}

describe('PayloadEncryption', () => {
  test('gives back what it was given, and shows nothing of it', async () => {
    const sealed = await seal(current)
    expect(await open(sealed, current)).toEqual(value)
    expect(textOf(sealed.data)).not.toMatch(/task|json|plain/)
    expect(Object.entries(sealed.metadata ?? {}).map(([name, bytes]) => [name, textOf(bytes)])).toEqual([
      ['encoding', 'binary/encrypted'],
      ['encryption-key-id', 'current'],
    ])
  })

  test('seals the same payload differently each time', async () => {
    const [one, other] = [await seal(current), await seal(current)]
    expect(textOf(one.data).slice(0, 12)).not.toBe(textOf(other.data).slice(0, 12))
    expect(textOf(one.data)).not.toBe(textOf(other.data))
  })

  test('encrypts with the first key and decrypts with all', async () => {
    expect(await open(await seal(old), current, old)).toEqual(value)
    expect(textOf((await seal(current, old)).metadata?.['encryption-key-id'])).toBe('current')
  })

  test('takes what was recorded before there were keys', async () => {
    expect(await open(plain, current)).toEqual(value)
  })

  test('names the key that it lacks, in the log once', async () => {
    const message =
      'A payload is encrypted with the key "old", which temporal.encryption.keys (MOORAGE_PAYLOAD_KEYS) lacks: add it behind the first key'
    const told: string[] = []
    const lacking = new PayloadEncryption({ keys: [current] }, { ...SILENT, error: (_, said) => void told.push(said) })
    const sealed = await seal(old)
    await expect(lacking.decode([sealed])).rejects.toThrow(message)
    await expect(lacking.decode([sealed])).rejects.toThrow(message)
    expect(told).toEqual([message])
  })

  test('names the key that others have where there are none, in the log once, and lets plain text pass', async () => {
    const message =
      'A payload is encrypted with the key "old", and temporal.encryption (MOORAGE_PAYLOAD_KEYS) is not set: set it as in the other processes'
    const told: string[] = []
    const { payloadCodecs: [codec] = [] } = dataConverterOf({}, { ...SILENT, error: (_, said) => void told.push(said) })
    expect(await codec?.encode([plain])).toEqual([plain])
    expect(await codec?.decode([plain])).toEqual([plain])
    const sealed = await seal(old)
    await expect(codec?.decode([sealed])).rejects.toThrow(message)
    await expect(codec?.decode([sealed])).rejects.toThrow(message)
    expect(told).toEqual([message])
  })

  test('refuses what was changed, and what another key of the same name sealed', async () => {
    const sealed = await seal(current)
    const message = /^A payload does not open with the key "current"/
    await expect(open(sealed, { ...current, key: old.key })).rejects.toThrow(message)
    const data = Uint8Array.from(sealed.data ?? [])
    data[20] = (data[20] ?? 0) ^ 1
    await expect(open({ ...sealed, data }, current)).rejects.toThrow(message)
    await expect(open({ ...sealed, data: new Uint8Array(3) }, current)).rejects.toThrow(message)
  })

  test.each([
    [[], 'temporal.encryption.keys must have at least one key'],
    [[{ id: '', key: new Uint8Array(32) }], 'temporal.encryption.keys[0].id must be a non-empty string'],
    [[current, { id: 'short', key: new Uint8Array(16) }], 'temporal.encryption.keys[1].key (id "short") must be 32 bytes; it is 16'],
    [[{ id: 'text', key: 'secret' as never }], 'temporal.encryption.keys[0].key (id "text") must be 32 bytes; it is string'],
    [[current, current], 'temporal.encryption.keys has two keys with one id; give each its own'],
  ])('refuses keys that cannot work (%#)', (keys, message) => {
    expect(() => dataConverterOf({ encryption: { keys } }, SILENT)).toThrow(new TypeError(message))
  })
})
