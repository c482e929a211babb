import { recogniseCommand } from '@moorage/inbox'
import { fieldViolations, type MessageJson } from '@moorage/protocol'
import { InvalidParamsError, invalidParam } from '../errors.js'
import type { OperationContext } from './context.js'
import { checkMediaTypes } from './media-types.js'

/**
 * Checks what a message says against what the agent takes: the card's input modes, then the agent's schema, which exactly one data part
 * must fit. A command is a text whatever the agent takes.
 * @throws ContentTypeNotSupportedError or InvalidParamsError
 */
export async function checkInput({ agent, card, commands }: OperationContext, message: MessageJson): Promise<void> {
  if (message.role !== 'ROLE_USER') throw invalidParam('message.role', 'Send ROLE_USER: a client speaks for its user.')
  if (recogniseCommand(message, commands) !== undefined) return
  checkMediaTypes(message.parts, card.defaultInputModes)
  if (agent.input === 'text') return
  const [part, ...others] = message.parts
  if (part === undefined || !('data' in part) || others.length > 0) {
    throw invalidParam('message.parts', 'Send exactly one data part: the agent takes structured input.')
  }
  const parsed = await agent.input.safeParseAsync(part.data)
  if (!parsed.success) throw new InvalidParamsError(fieldViolations(parsed.error, 'message.parts[0].data'))
}
