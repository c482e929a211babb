import type { AgentCardSignatureJson } from '@moorage/protocol'
import canonicalize from 'canonicalize'
import { createLocalJWKSet, flattenedVerify, type JSONWebKeySet } from 'jose'

/** A card as it came over HTTP. */
export interface ServedCard {
  readonly signatures?: readonly AgentCardSignatureJson[]
  readonly [field: string]: unknown
}

/** The protected headers of those signatures that are over exactly what was served, without its signatures. */
export async function verifyServed({ signatures = [], ...card }: ServedCard, jwks: JSONWebKeySet): Promise<readonly unknown[]> {
  const payload = new TextEncoder().encode(canonicalize(card) ?? '')
  const encoded = Buffer.from(payload).toString('base64url')
  const results = await Promise.allSettled(
    signatures.map((signature) => flattenedVerify({ ...signature, payload: encoded }, createLocalJWKSet(jwks))),
  )
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.protectedHeader] : []))
}
