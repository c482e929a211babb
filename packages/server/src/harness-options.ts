import type { SignedCard } from '@moorage/card'
import type { AgentCardJson } from '@moorage/protocol'
import type { PushKeyRing } from '@moorage/push'
import type { TaskStore } from '@moorage/store'
import type { Waker } from '@moorage/workflow/contract'
import type { Context } from 'hono'
import type { Authenticator } from './authentication/authenticator.js'
import type { JsonMediaType } from './http-json/negotiate.js'
import type { Logger } from './logger.js'
import type { MayActFor, ResolveParticipant } from './operations/enter.js'
import type { ExtendCard } from './operations/get-extended-agent-card.js'
import type { UnknownExtensions } from './service-parameters.js'
import type { WorkerPort } from './worker-port.js'

/** What one peer may ask for. */
export interface HarnessLimits {
  /** @default 1048576 (1 MiB) */
  readonly maxRequestBytes?: number
  /** Requests of one peer in a minute; 0: as many as it likes. @default 120 */
  readonly ratePerMinute?: number
  /** Streams that one peer may have open. @default 100 */
  readonly streamsPerPeer?: number
  /** Streams that may be open in all. @default 10000 */
  readonly streams?: number
  /** Names who is asking. @default the address of the connection under Node, else one name for everybody */
  readonly peer?: (c: Context) => string
}

export interface HarnessOptions {
  /** The card that is served; its interfaces say which bindings are served, and where. */
  readonly card: AgentCardJson
  /** The same card, signed: what `signCard` of `@moorage/card` made of it. @default the card is served unsigned, and no keys are */
  readonly signedCard?: SignedCard
  readonly store: TaskStore
  readonly waker: Waker
  /** A worker in this process; without one, others do the work. */
  readonly worker?: WorkerPort
  readonly logger: Logger
  readonly limits?: HarnessLimits
  /** After how many milliseconds a blocking send answers with the Task as it is; 0: never. @default 600000 */
  readonly blockingTimeoutMs?: number
  /** How many messages may wait on one task. @default 1000 */
  readonly maxWaiting?: number
  /** `'off'`: a message id that comes again is another message, and task ids are random, as a compatibility kit may expect. @default 'on' */
  readonly idempotency?: 'on' | 'off'
  /** Seal the secrets of push notification configs: needed where the card declares push notifications, and not used elsewhere. */
  readonly pushKeys?: PushKeyRing
  /**
   * Who may call: functions that are asked in this order, such as those of `@moorage/server/authentication`. The card has to say the schemes that they
   * enforce, and no others. @default everybody, as one anonymous caller
   */
  readonly authenticate?: readonly Authenticator[]
  /**
   * Names the participant that a caller is, and alone does: the header and the metadata are ignored then. Undefined: none, which may send
   * nothing and finds no task. One that throws fails its request only.
   */
  readonly resolveParticipant?: ResolveParticipant
  /** Whether an authenticated caller may act under another name than its subject, given in the header or the metadata. @default never */
  readonly mayActFor?: MayActFor
  /**
   * Makes the extended card of a caller (A2A §3.1.11), where the card has `capabilities.extendedAgentCard: true`, which needs `authenticate`.
   * @default ExtendedAgentCardNotConfigured
   */
  readonly extendCard?: ExtendCard
  /** Texts that are secrets whatever they look like: they are taken out of what is recorded, as everything that looks like one. @default none */
  readonly secrets?: readonly string[]
  /** How often an idle stream gets a comment, in milliseconds. @default 15000 */
  readonly keepAliveMs?: number
  /**
   * How long a harness that is to stop still takes requests, in milliseconds, while `/readyz` says 503 already: what a load balancer needs to
   * send them elsewhere. @default 0
   */
  readonly drainDelayMs?: number
  /** The prefix of the interfaces' paths that a host strips before it calls `fetch`, such as `/agents`. @default '' */
  readonly basePath?: string
  /** The HTTP+JSON binding's media type where a request does not choose. @default 'application/a2a+json' */
  readonly mediaType?: JsonMediaType
  /**
   * What becomes of an extension that `A2A-Extensions` names and the card does not declare: the request is refused with UnsupportedOperation,
   * or goes on without it. @default 'refuse'
   */
  readonly unknownExtensions?: UnknownExtensions
  /** Whether `/openapi.json` describes the HTTP+JSON binding. @default true */
  readonly openApi?: boolean
  /** Names for `/readyz` what does not work while messages are accepted all the same, such as `temporal`. */
  readonly degraded?: () => readonly string[] | Promise<readonly string[]>
  /** Whether `/_monitor` shows the last heartbeat of the agent, to whoever may call it. @default true */
  readonly monitor?: boolean
}
