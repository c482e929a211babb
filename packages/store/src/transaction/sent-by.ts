import type { JsonObject } from '@moorage/protocol'
import type { ReceivedMessage } from '../inbox-row.js'
import type { InboxTable } from '../schema.js'

/** Who sent what is in a row of the inbox, and what the policies noted on it. */
export function sentBy({
  tenant,
  subject,
  participant,
  annotations,
}: Pick<InboxTable, 'tenant' | 'subject' | 'participant' | 'annotations'>): Pick<ReceivedMessage, 'sender' | 'annotations'> {
  return { sender: { tenant, subject, participant }, annotations: annotations === null ? {} : (JSON.parse(annotations) as JsonObject) }
}
