import type { ArtifactJson, TaskJson } from '@moorage/protocol'
import { isPublic, type LogEntry } from '../log-entry.js'

/** What a reader of the stream ends with: the Task of the first entry, changed by each update after it (A2A §4.2). */
export function foldEntries(entries: readonly LogEntry[]): Pick<TaskJson, 'status' | 'artifacts'> {
  let task: TaskJson | undefined
  const artifacts = new Map<string, ArtifactJson>()
  for (const { payload } of entries.filter(isPublic)) {
    if ('task' in payload) {
      task = payload.task
    } else if ('statusUpdate' in payload && task) {
      task = { ...task, status: payload.statusUpdate.status }
    } else if ('artifactUpdate' in payload) {
      const { artifact, append } = payload.artifactUpdate
      const before = append ? (artifacts.get(artifact.artifactId)?.parts ?? []) : []
      artifacts.set(artifact.artifactId, { ...artifact, parts: [...before, ...artifact.parts] })
    }
  }
  if (!task) throw new Error('The log does not begin with the Task')
  return { status: task.status, artifacts: [...artifacts.values()] }
}
