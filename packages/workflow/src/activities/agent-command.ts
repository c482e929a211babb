import type { CommandRun, Reply } from '@moorage/agent'
import type { PartJson } from '@moorage/protocol'
import type { CommandOpening } from '@moorage/store'
import { checkedParts } from './agent-message.js'
import { heard } from './heard.js'
import { loadTask } from './load-task.js'
import { MisuseError } from './misuse-error.js'
import type { ActivityPorts } from './ports.js'
import type { RunFence } from './run-fence.js'

export type ClaimedCommand = Extract<CommandOpening, { readonly kind: 'claimed' }>

interface ClaimedRun {
  readonly ports: ActivityPorts
  readonly taskId: string
  /** The same for every run of this command. */
  readonly key: string
  readonly opening: ClaimedCommand
  readonly fence: RunFence
}

/** Runs the agent's code of a command; its reply is not recorded yet. */
export async function runAgentCommand({ ports, taskId, key, opening, fence }: ClaimedRun): Promise<readonly PartJson[]> {
  const { agent, store } = ports
  const command = Object.hasOwn(agent.commands, opening.command) ? agent.commands[opening.command] : undefined
  if (!command) return [{ text: `This agent does not know /${opening.command} any more.` }]
  const run: CommandRun = {
    taskId,
    contextId: opening.contextId,
    key,
    args: opening.args,
    sender: opening.sender,
    annotations: opening.annotations,
    signal: fence.signal,
    task: () => heard(loadTask(store, taskId, fence)),
    reply: (content) => ({ parts: checkedParts(content, 'run.reply') }),
  }
  return checkedReply(await command.run(run)).map((part) => ports.redactor.part(part))
}

function checkedReply(value: unknown): readonly PartJson[] {
  if (typeof value === 'object' && value !== null && 'parts' in value) return checkedParts(value.parts as Reply['parts'], 'run.reply')
  throw new MisuseError('a command must return run.reply(…)')
}
