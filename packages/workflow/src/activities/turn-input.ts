import type { InputSchema } from '@moorage/agent'
import { fieldViolations, type MessageJson } from '@moorage/protocol'

/** What the agent's `input` schema makes of a turn's messages; `refusal` is a sentence for the client. */
export type TurnInput = { readonly input: unknown } | { readonly refusal: string }

/** Parses the data part of the last message by the agent's schema. The server refuses what does not fit before; a newer schema may not. */
export async function readInput(schema: InputSchema, messages: readonly MessageJson[]): Promise<TurnInput> {
  if (schema === 'text') return { input: undefined }
  const part = messages.at(-1)?.parts.find((candidate) => 'data' in candidate)
  if (!part || !('data' in part)) return { refusal: 'This agent takes a data part, and the message has none.' }
  const parsed = await schema.safeParseAsync(part.data)
  if (parsed.success) return { input: parsed.data }
  const faults = fieldViolations(parsed.error, 'data').map(({ field, description }) => `${field}: ${description}`)
  return { refusal: `The message does not fit what this agent takes. ${faults.join(' ')}` }
}

/** The text parts of all messages, joined by line breaks. */
export function textOf(messages: readonly MessageJson[]): string {
  const parts = messages.flatMap((message) => message.parts)
  return parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n')
}
