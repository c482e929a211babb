import { randomUUID } from 'node:crypto'
import type { Fields } from './wire/forms.js'
import type { WireEvent } from './wire/wire-client.js'

/** A message with one text. */
export function says(text: string, fields: Fields = {}): Fields {
  return { message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...fields } }
}

/** A message that tells the conformance agent what to do, step by step. */
export function scripted(script: readonly Fields[], fields: Fields = {}): Fields {
  return { message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ data: { script } }], ...fields } }
}

/** The same, answered at once. */
export function atOnce(request: Fields): Fields {
  return { ...request, configuration: { ...(request['configuration'] as Fields | undefined), returnImmediately: true } }
}

/** A Task as it comes over the wire. */
export interface WireTask extends Fields {
  readonly id: string
  readonly contextId: string
  readonly status: { readonly state: string; readonly timestamp: string; readonly message?: WireMessage }
  readonly artifacts?: readonly { readonly artifactId: string; readonly parts: readonly Fields[] }[]
  readonly history?: readonly WireMessage[]
}

export interface WireMessage extends Fields {
  readonly messageId: string
  readonly contextId?: string
  readonly taskId?: string
  readonly role: string
  readonly parts: readonly Fields[]
}

/** A name that nothing else of the run has. */
export function fresh(name: string): string {
  return `${name}-${randomUUID()}`
}

/** The texts of the parts, one after the other. */
export function textOf(parts: readonly Fields[] = []): string {
  return parts.map((part) => String(part['text'])).join('')
}

/** The task that an event of a stream carries. */
export function taskIn(event: WireEvent | undefined): WireTask {
  if (event === undefined || !('task' in event.payload)) throw new Error(`No task came first, but ${JSON.stringify(event?.payload)}`)
  return event.payload['task'] as WireTask
}
