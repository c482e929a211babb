import type { ArtifactJson, MessageJson, StreamResponseJson, TaskJson } from '@moorage/protocol'
import type { WireStream } from '../conformance/wire/wire-client.js'

/** What a client was answered, so that two answers can be compared. */
export type Answer =
  | { readonly kind: 'message'; readonly messageId: string; readonly said: string }
  | ({ readonly kind: 'task' | 'stream'; readonly taskId: string } & Partial<Content>)

interface Content {
  readonly state: string
  readonly said: string
  readonly log: string
}

export function messageAnswer(message: MessageJson): Answer {
  return { kind: 'message', messageId: message.messageId, said: textOf(message.parts) }
}

/** The Task as it is at the end of its message. */
export function taskAnswer(task: TaskJson, kind: 'task' | 'stream' = 'task'): Answer {
  const log = task.artifacts?.find(({ artifactId }) => artifactId === 'log')?.parts ?? []
  return { kind, taskId: task.id, state: task.status.state, said: textOf(task.status.message?.parts ?? []), log: textOf(log) }
}

/** What a reader of the stream has at its end. @throws Error unless it begins with the Task, or is one Message */
export async function streamAnswer(stream: WireStream): Promise<Answer> {
  const [first, ...updates] = (await stream.rest()).map(({ payload }) => payload as unknown as StreamResponseJson)
  if (first && 'message' in first && updates.length === 0) return messageAnswer(first.message)
  if (!(first && 'task' in first)) throw new Error(`The stream begins with ${JSON.stringify(first)}`)
  return taskAnswer(updates.reduce(applyUpdate, first.task), 'stream')
}

function applyUpdate(task: TaskJson, update: StreamResponseJson): TaskJson {
  if ('statusUpdate' in update) return { ...task, status: update.statusUpdate.status }
  if (!('artifactUpdate' in update)) throw new Error(`The stream goes on with ${JSON.stringify(update)}`)
  const { artifact, append = false } = update.artifactUpdate
  const others = (task.artifacts ?? []).filter(({ artifactId }) => artifactId !== artifact.artifactId)
  const before = task.artifacts?.find(({ artifactId }) => artifactId === artifact.artifactId)
  const now: ArtifactJson = append && before ? { ...artifact, parts: [...before.parts, ...artifact.parts] } : artifact
  return { ...task, artifacts: [...others, now] }
}

function textOf(parts: MessageJson['parts']): string {
  return parts.map((part) => ('text' in part ? part.text : '')).join('')
}
