import type { ArtifactJson, StreamResponseJson, TaskJson } from '@moorage/protocol'

/** What a client makes of a stream: the Task that it begins with, changed by each update after it (A2A §4.2). */
export function foldStream([first, ...updates]: readonly StreamResponseJson[]): TaskJson {
  if (!first || !('task' in first)) throw new Error('the stream does not begin with the Task')
  return updates.reduce<TaskJson>(applyUpdate, first.task)
}

function applyUpdate(task: TaskJson, update: StreamResponseJson): TaskJson {
  if ('statusUpdate' in update) {
    const { status } = update.statusUpdate
    const { message } = task.status
    return { ...task, status, ...(message && { history: [...(task.history ?? []), message] }) }
  }
  if (!('artifactUpdate' in update)) throw new Error('the stream has something else than updates after the Task')
  const { artifact, append = false } = update.artifactUpdate
  const artifacts = task.artifacts ?? []
  const before = artifacts.find(({ artifactId }) => artifactId === artifact.artifactId)
  if (!before) return { ...task, artifacts: [...artifacts, artifact] }
  return { ...task, artifacts: artifacts.map((one) => (one === before ? foldArtifact(before, artifact, append) : one)) }
}

function foldArtifact(before: ArtifactJson, artifact: ArtifactJson, append: boolean): ArtifactJson {
  return append ? { ...before, ...artifact, parts: [...before.parts, ...artifact.parts] } : artifact
}
