import { buildArtifact } from '../task-json.js'
import type { TurnWrite } from '../turn.js'
import { type ArtifactRow, insertParts, loadArtifact, readParts, saveArtifact, truncateParts } from './artifact-parts.js'
import { logEntry } from './log.js'
import { flush, type TaskRow, type TransactionContext } from './transaction-context.js'

type ArtifactWrite = Extract<TurnWrite, { kind: 'artifact' }>

/** Adds a chunk to an artifact, or starts it anew, and logs the update. */
export async function writeArtifact(context: TransactionContext, task: TaskRow, write: ArtifactWrite): Promise<void> {
  const existing = await loadArtifact(context, task.id, write.artifactId)
  const artifact = existing ?? newArtifact(task, write.artifactId)
  rememberBefore(context, task, artifact, existing !== undefined)
  if (write.name !== undefined) artifact.name = JSON.stringify(write.name)
  if (write.description !== undefined) artifact.description = JSON.stringify(write.description)
  const append = existing !== undefined && existing.discarded === 0 && !write.replace
  if (!append) {
    await rememberReplaced(context, task, artifact)
    truncateParts(context, artifact, 0)
  }
  artifact.discarded = 0
  insertParts(context, artifact, write.parts)
  saveArtifact(context, artifact)
  logEntry(context, task, {
    artifactUpdate: {
      taskId: task.id,
      contextId: task.context_id,
      artifact: buildArtifact(artifact, write.parts),
      ...(append && { append: true }),
      ...(write.last && { lastChunk: true }),
    },
  })
}

function newArtifact(task: TaskRow, artifactId: string): ArtifactRow {
  task.artifact_count += 1
  return { task_id: task.id, artifact_id: artifactId, ordinal: task.artifact_count, name: null, description: null, parts: 0, discarded: 0 }
}

/** At a turn's first touch, notes what the artifact was, so that a retried turn can take its writes back. Costs the same however long it is. */
function rememberBefore({ db, pending }: TransactionContext, task: TaskRow, artifact: ArtifactRow, exists: boolean): void {
  const existed = exists && artifact.discarded === 0
  const before = db
    .insertInto('turn_artifacts')
    .values({
      task_id: task.id,
      turn: task.turn,
      artifact_id: artifact.artifact_id,
      existed: existed ? 1 : 0,
      parts: existed ? artifact.parts : 0,
      replaced: null,
      name: artifact.name,
      description: artifact.description,
    })
    .onConflict((conflict) => conflict.columns(['task_id', 'turn', 'artifact_id']).doNothing())
  pending.push(() => before.execute())
}

/** Before a replacement drops parts from before the turn, keeps a copy of them: the only case that costs their length. */
async function rememberReplaced(context: TransactionContext, task: TaskRow, artifact: ArtifactRow): Promise<void> {
  await flush(context)
  const touched = context.db
    .selectFrom('turn_artifacts')
    .select(['parts', 'replaced'])
    .where('task_id', '=', task.id)
    .where('turn', '=', task.turn)
    .where('artifact_id', '=', artifact.artifact_id)
  const before = await touched.executeTakeFirstOrThrow()
  if (before.parts === 0 || before.replaced !== null) return
  const parts = await readParts(context, artifact, before.parts)
  await context.db
    .updateTable('turn_artifacts')
    .set({ replaced: JSON.stringify(parts) })
    .where('task_id', '=', task.id)
    .where('turn', '=', task.turn)
    .where('artifact_id', '=', artifact.artifact_id)
    .execute()
}
