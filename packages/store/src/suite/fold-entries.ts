import type { ArtifactJson, TaskJson } from '@moorage/protocol'
import { isPublic, type LogEntry } from '../log-entry.js'

/** What a reader knows of a task. */
type Folded = Pick<TaskJson, 'status' | 'artifacts'>

/**
 * What a reader of the stream ends with: the Task, changed by each update after it (A2A §4.2). The Task is the first entry, or what the reader was
 * given when it subscribed.
 */
export function foldEntries(entries: readonly LogEntry[], subscribed?: TaskJson): Folded {
  let task = subscribed
  const artifacts = new Map(subscribed?.artifacts?.map((artifact) => [artifact.artifactId, artifact]))
  for (const { payload } of entries.filter(isPublic)) {
    if ('task' in payload) {
      task = payload.task
    } else if ('statusUpdate' in payload && task) {
      task = { ...task, status: payload.statusUpdate.status }
    } else if ('artifactUpdate' in payload) {
      const { artifact, append = false } = payload.artifactUpdate
      artifacts.set(artifact.artifactId, foldArtifact(artifacts.get(artifact.artifactId), artifact, append))
    }
  }
  if (!task) throw new Error('The log does not begin with the Task')
  return { status: task.status, artifacts: [...artifacts.values()] }
}

function foldArtifact(before: ArtifactJson | undefined, artifact: ArtifactJson, append: boolean): ArtifactJson {
  if (!append) return artifact
  if (!before) throw new Error(`The log appends to the artifact ${artifact.artifactId}, which it has not begun`)
  return { ...before, ...artifact, parts: [...before.parts, ...artifact.parts] }
}
