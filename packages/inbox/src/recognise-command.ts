import type { MessageJson } from '@moorage/protocol'

/** A call of a command; `args` is what follows its name, trimmed. */
export interface RecognisedCommand {
  readonly name: string
  readonly args: string
}

const COMMAND = /^\/([a-z][a-z0-9-]*)(?:\s+([\s\S]*))?$/

/** The registered command that the message's sole text part calls as `/name arguments`; anything else is an ordinary message. */
export function recogniseCommand(message: MessageJson, commands: ReadonlySet<string>): RecognisedCommand | undefined {
  const [part, ...others] = message.parts
  if (!part || others.length > 0 || !('text' in part)) return undefined
  const match = COMMAND.exec(part.text.trim())
  const name = match?.[1]
  return name !== undefined && commands.has(name) ? { name, args: match?.[2]?.trim() ?? '' } : undefined
}
