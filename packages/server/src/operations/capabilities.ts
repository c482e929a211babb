import { PushNotificationNotSupportedError, UnsupportedOperationError } from '@a2a-js/sdk/errors'
import type { AgentCardJson } from '@moorage/protocol'
import type { PushKeyRing } from '@moorage/push'
import type { OperationContext } from './context.js'

/** @throws UnsupportedOperationError unless the card declares streaming (A2A §3.3.4) */
export function requireStreaming(card: AgentCardJson): void {
  if (!card.capabilities.streaming) throw new UnsupportedOperationError({ message: 'The agent card does not declare streaming' })
}

/** @throws PushNotificationNotSupportedError unless the card declares push notifications (A2A §3.3.4) */
export function requirePushNotifications({ card, pushKeys }: OperationContext): PushKeyRing {
  if (!card.capabilities.pushNotifications || pushKeys === undefined) throw new PushNotificationNotSupportedError()
  return pushKeys
}
