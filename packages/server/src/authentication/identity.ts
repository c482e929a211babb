/** An authenticated caller, before it is known under which name it acts in a task. */
export interface Identity {
  /** `''` for none. */
  readonly tenant: string
  readonly subject: string
  readonly claims: Readonly<Record<string, unknown>>
}

/** The caller where nobody is authenticated: all such callers are one. */
export const ANONYMOUS_IDENTITY: Identity = { tenant: '', subject: 'anonymous', claims: {} }
