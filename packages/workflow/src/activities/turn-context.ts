import {
  type AppendOptions,
  type ArtifactOptions,
  type ArtifactWriter,
  type Authorization,
  type Content,
  type Outcome,
  type ReceivedMessage,
  type Turn,
  type TurnContext,
  toParts,
} from '@moorage/agent'
import type { Redactor } from '@moorage/inbox'
import type { TaskJson } from '@moorage/protocol'
import { agentMessage, checkedParts, type Saying } from './agent-message.js'
import { checkName, refuseSecret } from './check-name.js'
import { heard } from './heard.js'
import { MisuseError } from './misuse-error.js'
import type { Writer } from './redacting-writer.js'
import type { RunFence } from './run-fence.js'
import { textOf } from './turn-input.js'
import { checkedOutcome, outcomeOf } from './turn-outcome.js'
import type { StepWork, TurnSteps } from './turn-steps.js'

export interface TurnContextOptions extends Saying {
  readonly key: string
  readonly attempt: number
  readonly received: readonly ReceivedMessage[]
  readonly authorization: Authorization | undefined
  readonly input: unknown
  readonly fence: RunFence
  readonly writer: Writer
  readonly redactor: Redactor
  readonly steps: TurnSteps
  readonly load: () => Promise<TaskJson>
  readonly context: TurnContext
  readonly references: () => Promise<readonly TaskJson[]>
  /** Whether the agent may answer with a Message. */
  readonly mayReply: boolean
}

/** The `Turn` that the agent's code gets. */
export function createTurn(options: TurnContextOptions): Turn<unknown> {
  const { taskId, contextId, key, attempt, received, authorization, input, fence, writer, steps, load, context, references } = options
  const messages = received.map(({ message }) => message)
  let statuses = 0
  const status = async (content: Content): Promise<void> => {
    steps.refuseInside('turn.status')
    const parts = checkedParts(content, 'turn.status')
    statuses += 1
    // A retry keeps what the attempt before has said, so it says something else even with the same words.
    const message = agentMessage(`${key}/status/${statuses}/attempt/${attempt}`, parts, options)
    await writer.push({ kind: 'status', message })
  }
  const task = async (): Promise<TaskJson> => {
    await writer.flush()
    return load()
  }
  return {
    taskId,
    contextId,
    key,
    attempt,
    messages,
    received,
    ...(authorization && { authorization }),
    text: textOf(messages),
    input,
    signal: fence.signal,
    task: () => heard(task()),
    context: { id: context.id, tasks: (limits) => heard(context.tasks(limits)) },
    references: () => heard(references()),
    step: <T>(name: string, run: StepWork) => heard(steps.run(name, run) as Promise<unknown> as Promise<T>),
    artifact: (artifactId, artifact) => createArtifactWriter(options, artifactId, artifact),
    status: (content) => heard(status(content)),
    complete: (content) => outcomeOf('complete', content),
    fail: (content) => outcomeOf('fail', content),
    reject: (content) => outcomeOf('reject', content),
    ask: (content) => outcomeOf('ask', content),
    requireAuth: (scheme, message) => checkedOutcome({ kind: 'require-auth', scheme, parts: toParts(message) }),
    park: (content) => outcomeOf('park', content),
    reply: (content) => reply(options, content),
  }
}

function createArtifactWriter(
  { writer, steps, redactor }: TurnContextOptions,
  artifactId: string,
  { name, description }: ArtifactOptions = {},
): ArtifactWriter {
  checkName('turn.artifact: artifactId', artifactId)
  refuseSecret('turn.artifact: artifactId', artifactId, redactor)
  const where = `turn.artifact(${JSON.stringify(artifactId)})`
  const write = async (content: Content, { last }: AppendOptions, replace: boolean): Promise<void> => {
    steps.refuseInside(`${where}.${replace ? 'replace' : 'append'}`)
    const parts = checkedParts(content, where)
    await writer.push({
      kind: 'artifact',
      artifactId,
      parts,
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(replace && { replace }),
      ...(last === true && { last }),
    })
  }
  return {
    append: (content, options = {}) => heard(write(content, options, false)),
    replace: (content, options = {}) => heard(write(content, options, true)),
  }
}

function reply({ mayReply }: TurnContextOptions, content: Content): Outcome {
  if (mayReply) return outcomeOf('reply', content)
  throw new MisuseError("turn.reply: give the agent reply: 'message-when-direct' in defineAgent, or return turn.complete(…)")
}
