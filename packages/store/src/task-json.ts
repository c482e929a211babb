import type { ArtifactJson, JsonObject, MessageJson, PartJson, TaskJson, TaskState, TaskStatusJson } from '@moorage/protocol'
import type { Schema } from './schema.js'

/** The columns of a task that its JSON is made from. */
export type TaskJsonRow = Pick<Schema['tasks'], 'id' | 'context_id' | 'state' | 'status_at' | 'status_message' | 'metadata'>

/** What lies in tables of its own; a field that is absent here is absent in the Task. */
export interface TaskContent {
  readonly artifacts?: readonly ArtifactJson[]
  readonly history?: readonly MessageJson[]
}

export function buildTask(row: TaskJsonRow, content: TaskContent): TaskJson {
  return {
    id: row.id,
    contextId: row.context_id,
    status: buildStatus(row),
    ...content,
    ...(row.metadata === null ? {} : { metadata: JSON.parse(row.metadata) as JsonObject }),
  }
}

export function buildStatus(row: Pick<TaskJsonRow, 'state' | 'status_at' | 'status_message'>): TaskStatusJson {
  return {
    state: row.state as TaskState,
    timestamp: toTimestamp(row.status_at),
    ...(row.status_message === null ? {} : { message: JSON.parse(row.status_message) as MessageJson }),
  }
}

export function buildArtifact(
  row: Pick<Schema['artifacts'], 'artifact_id' | 'name' | 'description'>,
  parts: readonly PartJson[],
): ArtifactJson {
  return {
    artifactId: row.artifact_id,
    parts,
    ...(row.name === null ? {} : { name: JSON.parse(row.name) as string }),
    ...(row.description === null ? {} : { description: JSON.parse(row.description) as string }),
  }
}

/** ISO 8601 in UTC with milliseconds (A2A §5.6.1), from milliseconds since the epoch. */
export function toTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
