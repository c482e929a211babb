import type { PartJson, StreamResponseJson, TaskState } from '@moorage/protocol'

/** What a reader has who honours `append`. */
export interface Reading {
  readonly state: TaskState | undefined
  /** The words of the status. */
  readonly says: string
  /** The text of each artifact. */
  readonly artifacts: Readonly<Record<string, string>>
}

export const NOTHING: Reading = { state: undefined, says: '', artifacts: {} }

/** Adds one event of a stream, or of the log. */
export function foldStream(before: Reading, payload: StreamResponseJson): Reading {
  if ('task' in payload) {
    const { status, artifacts = [] } = payload.task
    return {
      state: status.state,
      says: textOf(status.message?.parts ?? []),
      artifacts: Object.fromEntries(artifacts.map(({ artifactId, parts }) => [artifactId, textOf(parts)])),
    }
  }
  if ('statusUpdate' in payload) {
    const { status } = payload.statusUpdate
    return { ...before, state: status.state, says: textOf(status.message?.parts ?? []) }
  }
  if (!('artifactUpdate' in payload)) return before
  const { artifact, append = false } = payload.artifactUpdate
  const text = `${append ? (before.artifacts[artifact.artifactId] ?? '') : ''}${textOf(artifact.parts)}`
  return { ...before, artifacts: { ...before.artifacts, [artifact.artifactId]: text } }
}

function textOf(parts: readonly PartJson[]): string {
  return parts.map((part) => ('text' in part ? part.text : '')).join('')
}
