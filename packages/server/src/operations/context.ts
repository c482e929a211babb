import type { Agent } from '@moorage/agent'
import type { Redactor } from '@moorage/inbox'
import type { AgentCardJson } from '@moorage/protocol'
import type { PushKeyRing } from '@moorage/push'
import type { TaskStore } from '@moorage/store'
import type { Waker } from '@moorage/workflow/contract'
import type { MayActFor, ResolveParticipant } from './enter.js'
import type { ExtendCard } from './get-extended-agent-card.js'
import type { PageTokens } from './page-token.js'

/** What every operation works with. */
export interface OperationContext {
  readonly agent: Agent
  readonly card: AgentCardJson
  readonly store: TaskStore
  readonly waker: Waker
  readonly pageTokens: PageTokens
  /** The names of the agent's commands. */
  readonly commands: ReadonlySet<string>
  /** How long a blocking send waits, in milliseconds; 0: until the wait's end. */
  readonly blockingTimeoutMs: number
  readonly maxWaiting: number
  readonly idempotency: 'on' | 'off'
  /** Takes the secrets out of what is recorded. */
  readonly redactor: Redactor
  /** Whether callers are authenticated. */
  readonly authenticated: boolean
  readonly resolveParticipant: ResolveParticipant | undefined
  readonly mayActFor: MayActFor | undefined
  readonly extendCard: ExtendCard | undefined
  /** There where the card declares push notifications. */
  readonly pushKeys: PushKeyRing | undefined
}
