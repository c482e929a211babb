import { UnsupportedOperationError } from '@a2a-js/sdk/errors'
import type { AgentCardJson } from '@moorage/protocol'

/** @throws UnsupportedOperationError unless the card declares streaming (A2A §3.3.4) */
export function requireStreaming(card: AgentCardJson): void {
  if (!card.capabilities.streaming) throw new UnsupportedOperationError({ message: 'The agent card does not declare streaming' })
}
