import type { PartJson } from '@moorage/protocol'
import type { Selectable } from 'kysely'
import type { TurnArtifactsTable } from '../schema.js'
import { buildArtifact } from '../task-json.js'
import { type ArtifactRow, insertParts, loadArtifact, readParts, saveArtifact, truncateParts } from './artifact-parts.js'
import { logEntry } from './log.js'
import type { TaskRow, TransactionContext } from './transaction-context.js'

/** Stands for an artifact that only an abandoned attempt had written: an artifact without parts would not be valid (A2A §4.1.7). */
const DISCARDED: PartJson = { text: '', metadata: { discarded: true } }

/**
 * Takes back what the attempt before wrote to the turn's artifacts, and logs each one's content from before the turn, so that a reader who
 * folds the log ends with the same artifacts as the projection.
 */
export async function restoreArtifacts(context: TransactionContext, task: TaskRow): Promise<void> {
  const touched = await context.db
    .selectFrom('turn_artifacts')
    .selectAll()
    .where('task_id', '=', task.id)
    .where('turn', '=', task.turn)
    .orderBy('artifact_id')
    .execute()
  for (const before of touched) {
    const artifact = await loadArtifact(context, task.id, before.artifact_id)
    if (artifact && artifact.discarded === 0) await restore(context, task, artifact, before)
  }
}

type Before = Selectable<TurnArtifactsTable>

async function restore(context: TransactionContext, task: TaskRow, artifact: ArtifactRow, before: Before): Promise<void> {
  if (before.existed === 0 || before.replaced !== null) {
    truncateParts(context, artifact, 0)
    insertParts(context, artifact, before.replaced === null ? [DISCARDED] : (JSON.parse(before.replaced) as PartJson[]))
  } else {
    truncateParts(context, artifact, before.parts)
  }
  artifact.discarded = before.existed === 0 ? 1 : 0
  artifact.name = before.name
  artifact.description = before.description
  saveArtifact(context, artifact)
  const parts = await readParts(context, artifact, artifact.parts)
  logEntry(context, task, {
    artifactUpdate: { taskId: task.id, contextId: task.context_id, artifact: buildArtifact(artifact, parts) },
  })
}
