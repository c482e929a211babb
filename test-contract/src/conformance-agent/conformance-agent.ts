import { type Agent, command, defineAgent, type Outcome, type Turn } from '@moorage/agent'
import type { Json, MessageJson } from '@moorage/protocol'
import { behaviourFor, completes } from './kit-behaviours.js'
import type { Rendezvous } from './rendezvous.js'
import { CONTINUATION, type Continuation, ScriptRun } from './run-script.js'
import { parseScript } from './script.js'

export interface ConformanceAgentOptions {
  readonly rendezvous: Rendezvous
  /** The kit's `TCK_STREAMING_TIMEOUT`, in milliseconds. */
  readonly streamingTimeoutMs: number
}

/**
 * The agent that compatibility kits and our own suites drive: by a script in a data part, by the prefix of a message's id, or by that of its text.
 * It looks at each message by itself, not at the task.
 */
export function conformanceAgent(options: ConformanceAgentOptions): Agent {
  return defineAgent({
    id: 'conformance',
    card: {
      name: 'Moorage conformance agent',
      description: 'Does what the A2A compatibility kit, or the script in a message, asks for.',
      version: '1.0.0',
      defaultInputModes: ['text/plain', 'application/json'],
    },
    reply: 'message-when-direct',
    commands: { echo: command('Says it again', (run) => run.reply(run.args)) },
    async turn(turn) {
      // Messages that came together each get what they ask for; only the last one can end the turn.
      for (const message of turn.messages.slice(0, -1)) {
        const { parts } = await act(turn, message, options)
        if (parts) await turn.status(parts)
      }
      return act(turn, turn.messages.at(-1), options)
    },
  })
}

async function act(turn: Turn, message: MessageJson | undefined, options: ConformanceAgentOptions): Promise<Outcome> {
  if (message === undefined) return turn.complete()
  const script = scriptOf(message)
  if (script !== undefined) return runScript(turn, script, { messageId: message.messageId, step: 0 }, options)
  const behaviour = behaviourFor(message.messageId, textOf(message))
  if (behaviour !== undefined) return behaviour(turn, options.streamingTimeoutMs)
  return (await goOn(turn, options)) ?? completes(turn, options.streamingTimeoutMs)
}

async function runScript(turn: Turn, value: Json, from: Continuation, { rendezvous }: ConformanceAgentOptions): Promise<Outcome> {
  const parsed = parseScript(value)
  return 'fault' in parsed ? turn.reject(parsed.fault) : new ScriptRun(turn, rendezvous).run(parsed.script, from)
}

/** Goes on with the script whose question was the last thing that the agent said; undefined where there is none. */
async function goOn(turn: Turn, options: ConformanceAgentOptions): Promise<Outcome | undefined> {
  const { history = [] } = await turn.task()
  const said = history.findLast(({ role }) => role === 'ROLE_AGENT')
  const continuation = said?.parts.map(({ metadata }) => metadata?.[CONTINUATION]).find((found) => found !== undefined)
  if (continuation === undefined) return undefined
  const from = continuation as unknown as Continuation
  const script = scriptOf(history.find(({ messageId, role }) => role === 'ROLE_USER' && messageId === from.messageId))
  return script === undefined ? undefined : runScript(turn, script, from, options)
}

/** What the first data part says under `script`. */
function scriptOf(message: MessageJson | undefined): Json | undefined {
  const part = message?.parts.find((candidate) => 'data' in candidate)
  if (!part || !('data' in part)) return undefined
  const { data } = part
  return typeof data === 'object' && data !== null && !Array.isArray(data) ? (data as { readonly script?: Json }).script : undefined
}

/** The first text part. */
function textOf({ parts }: MessageJson): string {
  const part = parts.find((candidate) => 'text' in candidate)
  return part && 'text' in part ? part.text : ''
}
