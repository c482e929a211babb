import { randomUUID } from 'node:crypto'
import type { SendMessageResponseJson, TaskJson } from '@moorage/protocol'
import { BINDINGS, type Binding } from '../clients.js'
import type { WireClient } from '../conformance/wire/wire-client.js'
import { type Answer, messageAnswer, streamAnswer, taskAnswer } from './answer.js'
import type { Ending } from './counting-agent.js'
import type { Replica } from './replica.js'

/** One way to send a message. */
export interface Way {
  readonly name: string
  readonly binding: Binding
  readonly mode: 'blocking' | 'returnImmediately' | 'streaming'
  /** Whether it makes a task, goes to a parked one, or makes one that is answered by a Message. */
  readonly kind: 'first' | 'follow-up' | 'direct'
}

const MODES = ['blocking', 'returnImmediately', 'streaming'] as const

export const WAYS: readonly Way[] = BINDINGS.flatMap((binding) => [
  ...(['first', 'follow-up'] as const).flatMap((kind) => MODES.map((mode) => way(binding, kind, mode))),
  way(binding, 'direct', 'blocking'),
])

/**
 * Each kind and mode over one of the bindings: which one it is matters neither to a database nor to who comes first. A binding has seven, so that
 * every second one is each of them once.
 */
export const EACH_ONCE: readonly Way[] = WAYS.filter((_way, index) => index % 2 === 0)

function way(binding: Binding, kind: Way['kind'], mode: Way['mode']): Way {
  return { name: `${kind} ${mode} over ${binding}`, binding, kind, mode }
}

/** One message, to be sent again and again in the same way. */
export interface Sending {
  readonly way: Way
  readonly messageId: string
  send(to: Replica): Promise<Answer>
  task(at: Replica, id: string): Promise<TaskJson>
  cancel(at: Replica, id: string): Promise<void>
}

/** A new message that is to end in this way; for a follow-up, makes the parked task first. */
export async function prepareSending(way: Way, ending: Ending, replica: Replica): Promise<Sending> {
  const { binding, kind, mode } = way
  const text = kind === 'direct' ? 'reply' : ending
  const parked = kind === 'follow-up' ? await makeParked(replica.client(binding)) : {}
  const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...parked }
  const request = { message, configuration: { returnImmediately: mode === 'returnImmediately' } }
  return {
    way,
    messageId: message.messageId,
    async send(to) {
      const client = to.client(binding)
      if (mode === 'streaming') return streamAnswer(await client.stream('SendStreamingMessage', request))
      const answer = await client.result<SendMessageResponseJson>('SendMessage', request)
      if ('message' in answer) return messageAnswer(answer.message)
      // It says how the task was at that moment.
      return mode === 'blocking' ? taskAnswer(answer.task) : { kind: 'task', taskId: answer.task.id }
    },
    task: (at, id) => at.client(binding).result<TaskJson>('GetTask', { id }),
    async cancel(at, id) {
      await at.client(binding).result('CancelTask', { id })
    },
  }
}

async function makeParked(client: WireClient): Promise<{ readonly taskId: string }> {
  const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: 'ask' }] }
  const answer = await client.result<SendMessageResponseJson>('SendMessage', { message })
  if (!('task' in answer)) throw new Error('A question came as a Message')
  return { taskId: answer.task.id }
}
