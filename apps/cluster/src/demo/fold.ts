import { type ArtifactJson, isTerminal, type PartJson, type StreamResponseJson, type TaskState } from '@moorage/protocol'

/** What a reader of the stream has who honours `append`. */
export interface Folded {
  readonly taskId: string | undefined
  readonly state: TaskState | undefined
  readonly isOver: boolean
  /** The text of all artifacts. */
  readonly text: string
}

export const NOTHING: Folded = { taskId: undefined, state: undefined, isOver: false, text: '' }

/** Adds one event. The task that is followed has one artifact. */
export function fold(before: Folded, payload: StreamResponseJson): Folded {
  if ('task' in payload) {
    const { id, status, artifacts = [] } = payload.task
    return { ...withState(before, status.state), taskId: id, text: textOf(artifacts) }
  }
  if ('statusUpdate' in payload) return withState(before, payload.statusUpdate.status.state)
  if (!('artifactUpdate' in payload)) return before
  const { artifact, append = false } = payload.artifactUpdate
  const text = textOf([artifact])
  return { ...before, text: append ? before.text + text : text }
}

/** Whether the event takes back what a lost attempt at the turn had written. */
export function takesBack(payload: StreamResponseJson): boolean {
  return 'artifactUpdate' in payload && payload.artifactUpdate.artifact.parts.some((part) => part.metadata?.['discarded'] === true)
}

export function textOf(artifacts: readonly ArtifactJson[]): string {
  const text = (part: PartJson) => ('text' in part ? part.text : '')
  return artifacts.flatMap((artifact) => artifact.parts.map(text)).join('')
}

function withState(before: Folded, state: TaskState): Folded {
  return { ...before, state, isOver: isTerminal(state) }
}
