import type { PartJson } from '@moorage/protocol'
import type { Selectable } from 'kysely'
import type { ArtifactsTable } from '../schema.js'
import { flush, type TransactionContext } from './transaction-context.js'

export type ArtifactRow = Selectable<ArtifactsTable>

/** SQLite takes 32,766 variables a statement; four columns a part. */
const PARTS_PER_INSERT = 1000

/** Adds parts to an artifact's end, whatever its length. */
export function insertParts({ db, pending }: TransactionContext, artifact: ArtifactRow, parts: readonly PartJson[]): void {
  const rows = parts.map((part, index) => ({
    task_id: artifact.task_id,
    artifact_id: artifact.artifact_id,
    ordinal: artifact.parts + index,
    part: JSON.stringify(part),
  }))
  for (let start = 0; start < rows.length; start += PARTS_PER_INSERT) {
    const some = rows.slice(start, start + PARTS_PER_INSERT)
    pending.push(() => db.insertInto('artifact_parts').values(some).execute())
  }
  artifact.parts += parts.length
}

/** Drops the parts from ordinal `keep` on. */
export function truncateParts({ db, pending }: TransactionContext, artifact: ArtifactRow, keep: number): void {
  const dropped = db
    .deleteFrom('artifact_parts')
    .where('task_id', '=', artifact.task_id)
    .where('artifact_id', '=', artifact.artifact_id)
    .where('ordinal', '>=', keep)
  pending.push(() => dropped.execute())
  artifact.parts = Math.min(artifact.parts, keep)
}

export async function readParts(context: TransactionContext, artifact: ArtifactRow, count: number): Promise<readonly PartJson[]> {
  await flush(context)
  const rows = await context.db
    .selectFrom('artifact_parts')
    .select('part')
    .where('task_id', '=', artifact.task_id)
    .where('artifact_id', '=', artifact.artifact_id)
    .where('ordinal', '<', count)
    .orderBy('ordinal')
    .execute()
  return rows.map((row) => JSON.parse(row.part) as PartJson)
}

export async function loadArtifact(context: TransactionContext, taskId: string, artifactId: string): Promise<ArtifactRow | undefined> {
  await flush(context)
  return context.db
    .selectFrom('artifacts')
    .selectAll()
    .where('task_id', '=', taskId)
    .where('artifact_id', '=', artifactId)
    .executeTakeFirst()
}

export function saveArtifact({ db, pending }: TransactionContext, artifact: ArtifactRow): void {
  const { task_id, artifact_id, ordinal, ...columns } = artifact
  const saved = db
    .insertInto('artifacts')
    .values({ task_id, artifact_id, ordinal, ...columns })
    .onConflict((conflict) => conflict.columns(['task_id', 'artifact_id']).doUpdateSet(columns))
  pending.push(() => saved.execute())
}
