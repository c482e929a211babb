import { type Agent, defineAgent } from '@moorage/agent'

/** An agent that counts how often it was given each message. */
export interface CountingAgent {
  readonly agent: Agent
  /** How many turns had the message with this id. */
  runs(messageId: string): number
  /** The task in which the message was run. */
  taskOf(messageId: string): string | undefined
}

/** What a message says is how its turn ends. */
export type Ending = 'ask' | 'complete' | 'reply' | 'hang'

export function createCountingAgent(): CountingAgent {
  const runs = new Map<string, number>()
  const tasks = new Map<string, string>()
  const agent = defineAgent({
    id: 'counter',
    card: { name: 'Counter' },
    reply: 'message-when-direct',
    async turn(turn) {
      for (const { messageId } of turn.messages) {
        runs.set(messageId, (runs.get(messageId) ?? 0) + 1)
        tasks.set(messageId, turn.taskId)
      }
      if (turn.text === 'reply') return turn.reply('Replied')
      await turn.artifact('log').append(`${turn.text} `)
      if (turn.text === 'hang') await new Promise((_, reject) => turn.signal.addEventListener('abort', reject, { once: true }))
      return turn.text === 'complete' ? turn.complete('Completed') : turn.ask('What else?')
    },
  })
  return { agent, runs: (messageId) => runs.get(messageId) ?? 0, taskOf: (messageId) => tasks.get(messageId) }
}
