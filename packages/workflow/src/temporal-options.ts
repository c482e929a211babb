import type { ConnectionOptions } from '@temporalio/client'

/** Where Temporal is, and how to get in; `tls`, `apiKey` and `metadata` are Temporal's own. */
export interface TemporalOptions {
  /** Host and port of the frontend. */
  readonly address: string
  /** @default 'default' */
  readonly namespace?: string
  readonly tls?: NonNullable<ConnectionOptions['tls']>
  readonly apiKey?: string
  readonly metadata?: NonNullable<ConnectionOptions['metadata']>
}

export function namespaceOf({ namespace }: TemporalOptions): string {
  return namespace ?? 'default'
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
