import { createHash } from 'node:crypto'
import type { MessageJson } from '@moorage/protocol'
import { ANONYMOUS, type Principal } from '@moorage/store'
import canonicalize from 'canonicalize'
import { v5 } from 'uuid'

/** The namespace of task ids made from messages; any fixed UUID would do. */
const TASK_NAMESPACE = '8f1a1f0e-6c4c-5b0e-9d6b-0b7a5c2f9d11'

/** Who sent which message: what makes a retry the same message again. */
export interface MessageIdentity {
  readonly agent: string
  readonly principal: Principal
  readonly messageId: string
  readonly digest: string
}

/** The SHA-256, in hex, of the message in its canonical form (RFC 8785), so that the order of its fields does not count. */
export function messageDigest(message: MessageJson): string {
  return createHash('sha256')
    .update(canonicalize(message) ?? '')
    .digest('hex')
}

/** The key under which the message's receipt is found again: its sender's own message id, over all tasks. */
export function messageKey(identity: MessageIdentity): string {
  return createHash('sha256').update(canonicalIdentity(identity)).digest('hex')
}

/** The id of the task that a first message makes: a retry meets its task, from any replica. Two stores never make the same id. */
export function taskIdFor(storeId: string, identity: MessageIdentity): string {
  return v5(`${storeId}\n${canonicalIdentity(identity)}`, TASK_NAMESPACE)
}

/** Anonymous callers are many under one name, so there the content counts too: a stranger's equal message id is another message. */
function canonicalIdentity({ agent, principal, messageId, digest }: MessageIdentity): string {
  const { tenant, subject, participant } = principal
  const anonymous = subject === ANONYMOUS.subject
  return JSON.stringify([agent, tenant, subject, participant, messageId, ...(anonymous ? [digest] : [])])
}
