import { UnsupportedOperationError } from '@a2a-js/sdk/errors'
import { withinTenant } from '../tenant.js'
import type { Call } from './call.js'
import type { OperationContext } from './context.js'
import type { PushConfigRequest } from './push-config-requests.js'

/** GetExtendedAgentCard (A2A §3.1.11): no card of this server declares one. @throws UnsupportedOperationError */
export async function getExtendedAgentCard({ card }: OperationContext, request: PushConfigRequest, call: Call): Promise<never> {
  withinTenant(call.principal, card, call.tenant, request.tenant)
  throw new UnsupportedOperationError({ message: 'The agent card does not declare an extended agent card' })
}
