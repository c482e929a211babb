import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose'
import { onTestFinished } from 'vitest'

export const ISSUER = 'https://issuer.test'
export const AUDIENCE = 'https://agent.test'

export interface TestKey {
  readonly kid: string
  readonly publicJwk: JWK
  readonly privateKey: Awaited<ReturnType<typeof generateKeyPair>>['privateKey']
}

/** An issuer of tokens, whose public keys are at a real URL. */
export interface TestIssuer {
  readonly jwks: URL
  /** What is served at the URL, for the test to change; undefined: 500. */
  served: readonly TestKey[] | undefined
  /** How often it was fetched. */
  readonly fetches: () => number
}

export async function createTestKey(kid: string): Promise<TestKey> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
  return { kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256' } }
}

export async function startTestIssuer(keys: readonly TestKey[]): Promise<TestIssuer> {
  let fetches = 0
  const issuer = { served: keys as readonly TestKey[] | undefined }
  const server = createServer((_request, response) => {
    fetches += 1
    if (issuer.served === undefined) return response.writeHead(500).end()
    return response
      .writeHead(200, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ keys: issuer.served.map(({ publicJwk }) => publicJwk) }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const jwks = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`)
  return Object.assign(issuer, { jwks, fetches: () => fetches })
}

/** What a token says; undefined: it does not say that. */
type Claims = { readonly [Claim in keyof JWTPayload]: JWTPayload[Claim] | undefined }

/** A good token of the subject `ann`, but for what is given. */
export function sign(
  key: TestKey,
  claims: Claims = {},
  header: { readonly kid?: string | undefined; readonly alg?: string } = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  return new SignJWT({ iss: ISSUER, aud: AUDIENCE, sub: 'ann', iat: now, exp: now + 300, ...claims } as JWTPayload)
    .setProtectedHeader({ alg: 'ES256', kid: key.kid, ...header } as JWTHeaderParameters)
    .sign(key.privateKey)
}
