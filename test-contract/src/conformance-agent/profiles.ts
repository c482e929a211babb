import type { AllowedClaims, CardInput } from '@moorage/card'

export const PROFILES = ['tck', 'bare', 'required-extension'] as const

/** Which capabilities the card declares: those that are served, none, or those that are served and an extension that every request has to name. */
export type Profile = (typeof PROFILES)[number]

const REQUIRED_EXTENSION = 'urn:a2a:tck:required-extension'

interface ProfileCard {
  readonly fields: Exclude<CardInput, string>
  readonly allow: AllowedClaims
}

/** What a profile adds to the card. */
export const PROFILE_CARDS: Readonly<Record<Profile, ProfileCard>> = {
  tck: { fields: { capabilities: { streaming: true } }, allow: {} },
  bare: { fields: { capabilities: { streaming: false } }, allow: {} },
  'required-extension': {
    fields: { capabilities: { streaming: true, extensions: [{ uri: REQUIRED_EXTENSION, required: true }] } },
    allow: { extensions: [REQUIRED_EXTENSION] },
  },
}
