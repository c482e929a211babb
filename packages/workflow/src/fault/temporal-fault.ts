/**
 * Why Temporal cannot be used. `unreachable`: nothing answers, which passes by itself; the others last until somebody puts a setting or the
 * server right: there is no such namespace, the server is too old, the API key or client certificate is not taken, TLS does not fit.
 */
export type TemporalFaultKind = 'unreachable' | 'namespace' | 'version' | 'credentials' | 'tls'

/** What keeps a process from Temporal. */
export interface TemporalFault {
  readonly kind: TemporalFaultKind
  /** One sentence for an operator, without a full stop: where, what is wrong, what to do. Holds no secret. */
  readonly message: string
}

/** How Temporal is to a process. */
export interface TemporalStatus {
  /** Whether Temporal takes what the process has for it. */
  readonly connected: boolean
  /** Why not, where that is known. */
  readonly fault?: TemporalFault
}
