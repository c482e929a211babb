import type { SecuritySchemeJson } from '@moorage/protocol'
import type { AuthenticationRequest } from './authentication-request.js'
import type { Identity } from './identity.js'

/** Security schemes by the names that the card has for them (A2A §4.5). */
export type SecuritySchemes = Readonly<Record<string, SecuritySchemeJson>>

/** What an authenticator knows of a caller. */
export interface Authentication {
  /** Who calls: 1 to 256 characters, never `anonymous`. Left out by an authenticator that only adds claims. */
  readonly subject?: string
  /** @default '' */
  readonly tenant?: string
  readonly claims?: Readonly<Record<string, unknown>>
  /** What the caller may do, for the scopes that the card's security requirements name. */
  readonly scopes?: readonly string[]
}

/** A credential for this authenticator that is no good. The caller gets the answer of one without any; the reason is for the log. */
export interface Rejection {
  /** Never the credential, nor a part of it. */
  readonly rejected: string
}

/** What an authenticator says; undefined: it does not know the caller. */
export type Finding = Authentication | Rejection | undefined

/**
 * Looks who calls. `known` is what the authenticators before it have found: their subject and tenant stay, whatever this one says. Throwing
 * fails the request as unavailable; the cause reaches the log and nobody else.
 */
export type Authenticate = (request: AuthenticationRequest, known: Identity | undefined) => Finding | Promise<Finding>

/** A function that knows callers, and the schemes of the card that it so enforces; none: it only adds claims. */
export type Authenticator = Authenticate & { readonly schemes: SecuritySchemes }

export interface AuthenticatorOptions {
  /** What the function enforces, and so what the card says. `{}` for one that only adds claims. */
  readonly schemes: SecuritySchemes
  readonly authenticate: Authenticate
}

/**
 * Makes an authenticator of a function of your own.
 * @throws TypeError that names the option which is wrong
 */
export function defineAuthenticator({ schemes, authenticate }: AuthenticatorOptions): Authenticator {
  if (typeof authenticate !== 'function') throw new TypeError('defineAuthenticator: authenticate must be a function of a request')
  if (typeof schemes !== 'object' || schemes === null || Array.isArray(schemes)) {
    throw new TypeError(
      'defineAuthenticator: schemes must be an object of security schemes by name, {} for a function that only adds claims',
    )
  }
  const own: Authenticate = (request, known) => authenticate(request, known)
  return Object.freeze(Object.assign(own, { schemes }))
}

/** Whether a value is what `defineAuthenticator` or a built-in made: the check for modules that a path names. */
export function isAuthenticator(value: unknown): value is Authenticator {
  return typeof value === 'function' && typeof Reflect.get(value, 'schemes') === 'object'
}
