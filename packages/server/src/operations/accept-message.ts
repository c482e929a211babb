import { receive } from '@moorage/inbox/receive'
import type { SendMessageRequestJson } from '@moorage/protocol'
import type { InboxKind, Principal, Receipt } from '@moorage/store'
import type { Call } from './call.js'
import { checkInput } from './check-input.js'
import type { OperationContext } from './context.js'
import { enter, requireParticipant } from './enter.js'
import { checkInlinePushConfig, sealInlinePushConfig } from './inline-push-config.js'
import { sendRefused } from './refusals.js'

/** A message that is recorded: from here on it is not lost. */
export interface Accepted {
  readonly principal: Principal
  readonly receipt: Receipt
  readonly kind: InboxKind
}

/** What SendMessage and SendStreamingMessage differ in. */
interface AcceptOptions {
  /** Refuses what the card does not declare, at its place in the order of refusals. */
  readonly checkCapability?: () => void
  /** Whether the answer may be a Message: nobody has asked for a Task by how the message is sent. */
  readonly mayBeMessage?: boolean
}

/** What SendMessage and SendStreamingMessage have in common: checks the message, records it in one transaction and wakes the task. */
export async function acceptMessage(
  context: OperationContext,
  request: SendMessageRequestJson,
  call: Call,
  { checkCapability, mayBeMessage = false }: AcceptOptions,
): Promise<Accepted> {
  const { agent, commands, maxWaiting, idempotency, redactor, store, waker } = context
  // What is checked is what is recorded, and what the agent gets.
  const message = redactor.message(request.message)
  await checkInput(context, message)
  checkInlinePushConfig(request)
  const audited = { operation: 'message', taskId: request.message.taskId }
  const principal = await enter(context, call, request, audited)
  await requireParticipant(context, principal, audited)
  checkCapability?.()
  const sealPushConfig = sealInlinePushConfig(context, request, principal, call)
  // A webhook is told of a Task.
  const direct = mayBeMessage && agent.reply === 'message-when-direct' && sealPushConfig === undefined
  const policies = { policies: agent.policies, signal: call.signal, redactor }
  const options = { agent: agent.id, commands, maxWaiting, idempotency, direct, policies }
  const reception = await receive(store, options, principal, message, sealPushConfig)
  if (reception.result === 'refused') throw sendRefused(reception)
  const { kind, handled, receipt } = reception
  if (!handled) waker.wake(agent.id, receipt.taskId, [{ position: receipt.position, kind }])
  return { principal, receipt, kind }
}
