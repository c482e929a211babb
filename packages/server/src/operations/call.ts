import type { JsonObject, StreamResponseJson } from '@moorage/protocol'
import type { FollowCut } from '@moorage/store'
import type { AuthenticationRequest } from '../authentication/authentication-request.js'
import type { Identity } from '../authentication/identity.js'

/** What an operation knows of the request around it. */
export interface Call {
  readonly identity: Identity
  /** The request as authentication saw it. */
  readonly request: AuthenticationRequest
  /** The `X-Participant-Id` header, unchecked. */
  readonly participantHeader?: string
  /** The metadata of a request which has none in 1.0, as those of 0.3 do. */
  readonly metadata?: JsonObject
  /** Aborted when the client has gone or the server stops; then a wait ends early and a stream ends. */
  readonly signal: AbortSignal
  /**
   * Counts a stream of the caller's until `signal` is aborted: before anything is done, since nothing may be accepted and then refused.
   * @throws Refusal where too many are open
   */
  readonly beginStream: () => void
  /** When the call's stream has a client that takes too little of it, and how to end it. */
  readonly cut: FollowCut
  /** Major.Minor of the protocol that the caller speaks. */
  readonly version: string
  /** The extensions that the request activates: all of them declared by the card. */
  readonly extensions: readonly string[]
  /** The tenant in the request's URL; `''` for none. */
  readonly tenant: string
  /** The `Last-Event-ID` header of a subscription, unchecked. */
  readonly lastEventId?: string
}

/** One event of a stream. `seq` is the log's: a subscription with it as `Last-Event-ID` goes on after it. */
export interface StreamEvent {
  readonly seq: number
  readonly payload: StreamResponseJson
  /** Whether the stream ends with it: what A2A 0.3 calls `final`. */
  readonly last?: boolean
}
