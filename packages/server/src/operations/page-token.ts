/**
 * Page tokens of lists: a cursor, which is JSON, with a signature over it and over `scope`, that is what the list was asked for and by whom. With
 * another filter, by another caller or with another store's key a token is as invalid as a forged one.
 */
export interface PageTokens {
  seal(cursor: unknown, scope: string): Promise<string>
  /** The cursor that was sealed, or undefined where the token is not one of this scope. */
  open<Cursor>(token: string, scope: string): Promise<Cursor | undefined>
}

const HMAC = { name: 'HMAC', hash: 'SHA-256' } as const

/** @param secret the store's `tokenKey`, the same in every replica */
export function createPageTokens(secret: Uint8Array): PageTokens {
  const key = crypto.subtle.importKey('raw', Uint8Array.from(secret), HMAC, false, ['sign', 'verify'])
  return {
    async seal(cursor, scope) {
      const payload = toBase64Url(encode(JSON.stringify(cursor)))
      const signature = await crypto.subtle.sign(HMAC.name, await key, signedBytes(payload, scope))
      return `${payload}.${toBase64Url(new Uint8Array(signature))}`
    },
    async open<Cursor>(token: string, scope: string) {
      const [payload = '', signature = '', ...rest] = token.split('.')
      const bytes = fromBase64Url(signature)
      if (bytes === undefined || rest.length > 0) return undefined
      if (!(await crypto.subtle.verify(HMAC.name, await key, bytes, signedBytes(payload, scope)))) return undefined
      return JSON.parse(new TextDecoder().decode(fromBase64Url(payload))) as Cursor
    },
  }
}

/** The version of the form is signed too: a token of another form is invalid, not misread. */
function signedBytes(payload: string, scope: string): Uint8Array<ArrayBuffer> {
  return encode(JSON.stringify(['page-token:v1', payload, scope]))
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(new TextEncoder().encode(text))
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return undefined
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))
}
