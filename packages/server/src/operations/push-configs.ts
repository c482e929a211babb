import { PushNotificationNotSupportedError } from '@a2a-js/sdk/errors'
import { withinTenant } from '../tenant.js'
import type { Call } from './call.js'
import type { OperationContext } from './context.js'

/**
 * All four operations on push-notification configs (A2A §3.1.7 to §3.1.10). No card of this server declares the capability, so they are
 * refused before any task is looked up (§3.3.4).
 * @throws PushNotificationNotSupportedError
 */
export async function refusePushConfig({ card }: OperationContext, request: { readonly tenant?: string }, call: Call): Promise<never> {
  withinTenant(call.principal, card, call.tenant, request.tenant)
  throw new PushNotificationNotSupportedError()
}
