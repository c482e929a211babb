import { Buffer } from 'node:buffer'
import { setTimeout } from 'node:timers/promises'
import type { Content, Outcome, Turn } from '@moorage/agent'

/** What the agent does for one prefix of the kit. */
export type Behaviour = (turn: Turn, streamingTimeoutMs: number) => Promise<Outcome> | Outcome

const FILE = {
  raw: Buffer.from('Generated file content').toString('base64'),
  filename: 'output.txt',
  mediaType: 'text/plain',
}

/** What the public compatibility kit expects of an agent, by the prefix of a message's id (a2a-tck, `scenarios/`). */
const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  'tck-complete-task': (turn) => turn.complete('Hello from TCK'),
  'tck-artifact-text': withArtifact('Generated text content'),
  'tck-artifact-file': withArtifact(FILE),
  'tck-artifact-file-url': withArtifact({ url: 'https://example.com/output.txt', filename: 'output.txt', mediaType: 'text/plain' }),
  'tck-artifact-data': withArtifact({ data: { key: 'value', count: 42 } }),
  'tck-message-response': (turn) => turn.reply('Direct message response'),
  'tck-input-required': (turn) => turn.ask('Input required'),
  'tck-auth-required': (turn) => turn.requireAuth('conformance', 'Authorisation required'),
  'tck-reject-task': (turn) => turn.reject('rejected'),
  'tck-stream-001': withArtifact('Stream hello from TCK'),
  'tck-stream-002': (turn) => turn.complete('Hello from TCK'),
  'tck-stream-003': withArtifact('Stream task lifecycle'),
  'tck-stream-ordering-001': withArtifact('Ordered output'),
  'tck-stream-artifact-text': withArtifact('Streamed text content'),
  'tck-stream-artifact-file': withArtifact(FILE),
  'tck-stream-artifact-chunked': withArtifact('chunk-1 ', 'chunk-2'),
  'test-resubscribe-message-id': after(2, 'Hello from TCK'),
  'tck-delayed-complete': after(1, 'Done after delay'),
}

const PREFIXES = Object.keys(BEHAVIOURS).sort((a, b) => b.length - a.length)

/** The behaviour of the longest prefix that the message's id has or, failing that, its first text. */
export function behaviourFor(messageId: string, text: string): Behaviour | undefined {
  const prefix = [messageId, text].map((words) => PREFIXES.find((known) => words.startsWith(known))).find((found) => found !== undefined)
  return prefix === undefined ? undefined : BEHAVIOURS[prefix]
}

/** What the agent does for a message that asks for nothing. */
export const completes: Behaviour = (turn) => turn.complete('Hello from TCK')

/** One artifact, a chunk for each content, then the end. */
function withArtifact(...contents: readonly Content[]): Behaviour {
  return async (turn) => {
    const artifact = turn.artifact('output', { name: 'Output' })
    for (const [index, content] of contents.entries()) await artifact.append(content, { last: index + 1 === contents.length })
    return turn.complete()
  }
}

/** The end after so many of the kit's streaming timeouts. */
function after(timeouts: number, text: string): Behaviour {
  return async (turn, streamingTimeoutMs) => {
    await setTimeout(timeouts * streamingTimeoutMs, undefined, { signal: turn.signal })
    return turn.complete(text)
  }
}
