import { type Content, toParts } from '@moorage/agent'
import { type MessageJson, type PartJson, partSchema } from '@moorage/protocol'
import { v5 as uuidv5 } from 'uuid'
import { MisuseError } from './misuse-error.js'
import { weighPart } from './weigh.js'

/** What one write may have: with what JSON and UTF-8 make of it, far less than a database's text and a string can hold. */
export const MAX_CHARACTERS = 32 * 1024 * 1024

const NAMESPACE = '6f5f3c1e-3a55-4c0f-9d43-8a3f6d7c1b52'

/** Where a message of the agent is said. */
export interface Saying {
  readonly taskId: string
  readonly contextId: string
}

/** A message of the agent. Its id is made of `key`: the same key says the same message again, another key another one. */
export function agentMessage(key: string, parts: readonly PartJson[], { taskId, contextId }: Saying): MessageJson {
  return { messageId: uuidv5(key, NAMESPACE), role: 'ROLE_AGENT', parts, taskId, contextId }
}

/**
 * The parts of a content, as they are recorded.
 * @throws MisuseError that names `where` and the part which no client could read, or the limit which they are over together.
 */
export function checkedParts(content: Content, where: string): readonly PartJson[] {
  const parts = toParts(content)
  if (parts.length === 0) throw new MisuseError(`${where}: give at least one part`)
  const checked = parts.map((part, index) => checkedPart(part, `${where}: part ${index + 1}`))
  if (checked.reduce((characters, part) => characters + weighPart(part), 0) > MAX_CHARACTERS) {
    throw new MisuseError(`${where}: give at most ${MAX_CHARACTERS} characters at once; write more of it in several pieces`)
  }
  return checked
}

function checkedPart(part: PartJson, where: string): PartJson {
  if (isPlainText(part)) return part
  if (part === undefined || part === null) throw new MisuseError(`${where} is missing; give a text, or a part such as { text: '…' }`)
  const parsed = partSchema.safeParse(part)
  if (parsed.success) return parsed.data
  throw new MisuseError(`${where} is no part: ${parsed.error.issues.map((issue) => issue.message).join(' ')}`)
}

/** What nearly every chunk is; spares it the schema. */
function isPlainText(part: PartJson): boolean {
  return typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string' && Object.keys(part).length === 1
}
