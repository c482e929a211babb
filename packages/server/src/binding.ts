import type { AgentCardJson } from '@moorage/protocol'
import type { Context } from 'hono'
import { authenticationRequest } from './authentication/authentication-request.js'
import type { Identity } from './authentication/identity.js'
import { connectionAddress } from './connection.js'
import type { Answer, Handler, OperationName } from './dispatch.js'
import { toWireError, type WireError } from './errors.js'
import type { Logger } from './logger.js'
import type { OpenStreams } from './open-streams.js'
import type { Call } from './operations/call.js'
import { PARTICIPANT_HEADER } from './operations/named-participant.js'
import { type OpenRequests, type Scope, TOO_SLOW } from './scope.js'
import type { UnknownExtensions } from './service-parameters.js'

/** What both bindings work with. */
export interface BindingContext {
  readonly card: AgentCardJson
  readonly handlers: Readonly<Record<OperationName, Handler>>
  /** @throws Refusal for a caller that it does not know */
  readonly authenticate: (c: Context) => Promise<Identity>
  /** Whether callers are known by name; then they may authorise what a task asks for. */
  readonly authenticated: boolean
  readonly requests: OpenRequests
  readonly streams: OpenStreams
  /** Names who is asking. */
  readonly peer: (c: Context) => string
  readonly logger: Logger
  readonly keepAliveMs: number
  readonly unknownExtensions: UnknownExtensions
}

/** What is answered is the caller's own, and of this moment: no cache keeps it. */
export const NO_STORE = { 'Cache-Control': 'no-store' } as const

/** How a binding puts an answer: `scope` ends with the stream. */
export interface Form<Event> {
  value(value: unknown): Response
  stream(events: AsyncIterable<Event>, scope: Scope): Response
}

/** What a call knows of its client's being there. */
export type Presence = Pick<Call, 'signal' | 'beginStream' | 'cut'>

/** Runs an operation for as long as its client is there, and puts its answer into the binding's form. */
export async function respond<Event>(
  { requests, streams, peer, keepAliveMs }: BindingContext,
  c: Context,
  run: (presence: Presence) => Promise<Answer<Event>>,
  form: Form<Event>,
): Promise<Response> {
  const scope = requests.open(c.req.raw.signal)
  const { signal } = scope
  const presence: Presence = {
    signal,
    beginStream: () => streams.begin(peer(c), signal),
    cut: { afterMs: keepAliveMs, onCut: () => scope.close(TOO_SLOW) },
  }
  let answer: Answer<Event> | undefined
  try {
    answer = await run(presence)
    return answer.kind === 'stream' ? form.stream(answer.events, scope) : form.value(answer.value)
  } finally {
    if (answer?.kind !== 'stream') scope.close()
  }
}

/** Maps an error to the wire, and tells the log what the client is not told. */
export function reportError({ logger }: Pick<BindingContext, 'logger'>, error: unknown): WireError {
  const wire = toWireError(error)
  if (wire.internal) logger.error({ err: error }, 'a request failed')
  return wire
}

/** What the request itself says to the operation, without what is absent. */
export function callOfRequest(c: Context): Pick<Call, 'request' | 'lastEventId' | 'participantHeader'> {
  const { req } = c
  const lastEventId = req.header('Last-Event-ID')
  const participantHeader = req.header(PARTICIPANT_HEADER)
  return {
    request: authenticationRequest(c, connectionAddress(c)),
    ...(lastEventId !== undefined && { lastEventId }),
    ...(participantHeader !== undefined && { participantHeader }),
  }
}
