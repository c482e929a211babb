import type { ConnectionOptions } from '@temporalio/client'

/** Temporal's own. */
const DEFAULT_PORT = 7233

/** Where Temporal is, and how to get in; `tls`, `apiKey` and `metadata` are Temporal's own. */
export interface TemporalOptions {
  /** Host and port of the frontend; without a port, 7233. */
  readonly address: string
  /** The folder of an engine that belongs to this deployment: while it is away, faults name it in place of an address that nobody set. */
  readonly embeddedIn?: string
  /** @default 'default' */
  readonly namespace?: string
  readonly tls?: NonNullable<ConnectionOptions['tls']>
  readonly apiKey?: string
  readonly metadata?: NonNullable<ConnectionOptions['metadata']>
  /** Encrypts what Temporal keeps. Every worker and waker of a store needs the same keys. @default plain text */
  readonly encryption?: EncryptionOptions
}

/** AES-256-GCM over every payload. */
export interface EncryptionOptions {
  /** The first encrypts, all decrypt: a new key is first added to every process behind the old one, then put in front of it. */
  readonly keys: readonly EncryptionKey[]
}

export interface EncryptionKey {
  /** Names the key in what it encrypted; no secret. */
  readonly id: string
  /** 32 bytes. */
  readonly key: Uint8Array
}

export function namespaceOf({ namespace }: TemporalOptions): string {
  return namespace ?? 'default'
}

/** The address with its port. */
export function addressOf({ address }: Pick<TemporalOptions, 'address'>): string {
  return /:\d+$/.test(address) ? address : `${address}:${DEFAULT_PORT}`
}

/** What Temporal's connections take of it. */
export function connectionOptions({ address, tls, apiKey, metadata }: TemporalOptions) {
  return {
    address,
    ...(tls !== undefined && { tls }),
    ...(apiKey !== undefined && { apiKey }),
    ...(metadata !== undefined && { metadata }),
  }
}

/** An API key brings TLS with it, where nothing is said of TLS. */
export function usesTls({ tls, apiKey }: TemporalOptions): boolean {
  return tls === undefined ? apiKey !== undefined : tls !== false && tls !== null
}
