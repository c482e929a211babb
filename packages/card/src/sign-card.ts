import type { AgentCardJson, AgentCardSignatureJson } from '@moorage/protocol'
import { FlattenedSign } from 'jose'
import { canonicalCard, canonicalJson } from './canonical-card.js'
import { type CardForms, cardForms } from './card-forms.js'
import type { CardKey, PublicJwk } from './card-keys.js'
import { readBack } from './legacy-card.js'
import { withoutEmpty } from './without-empty.js'

export interface SignCardOptions {
  /** Each of them signs: see `parseCardKeys`. */
  readonly keys: readonly CardKey[]
  /** URL of the public keys, which the signatures name. @default they name none */
  readonly jku?: string
}

/** A card as it is served, signed, and what its signatures are verified with. */
export interface SignedCard {
  /** The card that was signed. */
  readonly card: AgentCardJson
  readonly forms: CardForms
  readonly jwks: { readonly keys: readonly PublicJwk[] }
}

/**
 * Signs every form in which the card is served (A2A §8.4): once, when the server starts. Each key yields one signature of each reading of a
 * form, and most forms have one reading alone: what a client verifies is not always all that it was sent.
 */
export async function signCard(card: AgentCardJson, options: SignCardOptions): Promise<SignedCard> {
  const { current, older } = cardForms(card)
  const readings = readingsOf(current)
  const signed = { ...current, signatures: await signAll(readings, options) }
  const jwks = { keys: options.keys.map(({ publicJwk }) => publicJwk) }
  if (older === undefined) return { card, forms: { current: signed }, jwks }
  const { legacy, union } = older
  const legacySignatures = await signAll([canonicalJson(legacy), ...readingsOf(readBack(current))], options)
  const unionSignatures = await signAll([...readings, canonicalJson(union)], options)
  const signedOlder = { legacy: { ...legacy, signatures: legacySignatures }, union: { ...union, signatures: unionSignatures } }
  return { card, forms: { current: signed, older: signedOlder }, jwks }
}

/** What §8.4.1 says, and what the SDKs verify instead of it: they drop lists and texts that are empty, required ones too. */
function readingsOf(card: AgentCardJson): readonly string[] {
  return [canonicalCard(card), canonicalJson(withoutEmpty(canonicalCard(card)))]
}

async function signAll(payloads: readonly string[], { keys, jku }: SignCardOptions): Promise<readonly AgentCardSignatureJson[]> {
  const distinct = [...new Set(payloads)].map((payload) => new TextEncoder().encode(payload))
  return Promise.all(keys.flatMap((key) => distinct.map((payload) => signPayload(payload, key, jku))))
}

async function signPayload(
  payload: Uint8Array,
  { alg, kid, privateKey }: CardKey,
  jku: string | undefined,
): Promise<AgentCardSignatureJson> {
  const header = { alg, kid, typ: 'JOSE', ...(jku !== undefined && { jku }) }
  const { protected: encoded = '', signature } = await new FlattenedSign(payload).setProtectedHeader(header).sign(privateKey)
  return { protected: encoded, signature }
}
