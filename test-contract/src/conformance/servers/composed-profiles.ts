import type { HarnessOptions } from '@moorage/server'

/** A server that is put together in the test's own process. */
export interface ComposedProfile {
  /** The interfaces at the server's one URL: versions and tenants, each over both bindings. */
  readonly interfaces: readonly { readonly protocolVersion: '1.0' | '0.3'; readonly tenant?: string }[]
  readonly pushNotifications: boolean
  /** Whether two keys sign the card. */
  readonly isSigned: boolean
  readonly harness: Pick<HarnessOptions, 'idempotency' | 'limits'>
}

const UNLIMITED = { ratePerMinute: 0 }

const PLAIN: ComposedProfile = {
  interfaces: [{ protocolVersion: '1.0' }],
  pushNotifications: false,
  isSigned: false,
  harness: { limits: UNLIMITED, idempotency: 'off' },
}

export const COMPOSED_PROFILES = {
  /** Push notifications, both versions on both bindings, a card with signatures of two keys. */
  everything: { ...PLAIN, interfaces: [{ protocolVersion: '1.0' }, { protocolVersion: '0.3' }], pushNotifications: true, isSigned: true },
  /** The tenants `north` and `south` beside none, and push notifications. */
  tenants: {
    ...PLAIN,
    interfaces: [{ protocolVersion: '1.0' }, ...['north', 'south'].map((tenant) => ({ protocolVersion: '1.0' as const, tenant }))],
    pushNotifications: true,
  },
  /** A message that is sent again is the same message, as is the default; the kit's profile takes it for another. */
  idempotent: { ...PLAIN, harness: { limits: UNLIMITED } },
  /** Bodies of 4 KiB. */
  'limited-body': { ...PLAIN, harness: { limits: { ...UNLIMITED, maxRequestBytes: 4096 } } },
  /** Ten requests a minute. */
  'limited-rate': { ...PLAIN, harness: { limits: { ratePerMinute: 10 } } },
} as const satisfies Readonly<Record<string, ComposedProfile>>

export type ComposedProfileName = keyof typeof COMPOSED_PROFILES
