/**
 * Why Temporal cannot be used. `unreachable`: nothing answers, which passes; the others are faults of a configuration, which somebody has to
 * put right: the namespace does not exist, the server is too old, the API key or client certificate is not taken, TLS does not fit.
 */
export type TemporalFaultKind = 'unreachable' | 'namespace' | 'version' | 'credentials' | 'tls'

/** What keeps a process from Temporal. */
export interface TemporalFault {
  readonly kind: TemporalFaultKind
  /** One sentence for an operator: where, what is wrong, and which setting puts it right. Holds no secret. */
  readonly message: string
}

/** How Temporal is to a process. */
export interface TemporalStatus {
  /** Whether Temporal answers. */
  readonly connected: boolean
  /** Why not, where that is known. */
  readonly fault?: TemporalFault
}
