import type { PartJson } from '@moorage/protocol'
import type { Selectable } from 'kysely'
import type { ArtifactsTable } from '../schema.js'
import type { TransactionContext } from './transaction-context.js'

export type ArtifactRow = Selectable<ArtifactsTable>

/** SQLite takes 32,766 variables a statement; four columns a part. */
const PARTS_PER_INSERT = 1000

/** Adds parts to an artifact's end, whatever its length. */
export async function insertParts({ db }: TransactionContext, artifact: ArtifactRow, parts: readonly PartJson[]): Promise<void> {
  const rows = parts.map((part, index) => ({
    task_id: artifact.task_id,
    artifact_id: artifact.artifact_id,
    ordinal: artifact.parts + index,
    part: JSON.stringify(part),
  }))
  for (let start = 0; start < rows.length; start += PARTS_PER_INSERT) {
    await db
      .insertInto('artifact_parts')
      .values(rows.slice(start, start + PARTS_PER_INSERT))
      .execute()
  }
  artifact.parts += parts.length
}

/** Drops the parts from ordinal `keep` on. */
export async function truncateParts({ db }: TransactionContext, artifact: ArtifactRow, keep: number): Promise<void> {
  await db
    .deleteFrom('artifact_parts')
    .where('task_id', '=', artifact.task_id)
    .where('artifact_id', '=', artifact.artifact_id)
    .where('ordinal', '>=', keep)
    .execute()
  artifact.parts = Math.min(artifact.parts, keep)
}

export async function readParts({ db }: TransactionContext, artifact: ArtifactRow, count: number): Promise<readonly PartJson[]> {
  const rows = await db
    .selectFrom('artifact_parts')
    .select('part')
    .where('task_id', '=', artifact.task_id)
    .where('artifact_id', '=', artifact.artifact_id)
    .where('ordinal', '<', count)
    .orderBy('ordinal')
    .execute()
  return rows.map((row) => JSON.parse(row.part) as PartJson)
}

export async function loadArtifact({ db }: TransactionContext, taskId: string, artifactId: string): Promise<ArtifactRow | undefined> {
  return db.selectFrom('artifacts').selectAll().where('task_id', '=', taskId).where('artifact_id', '=', artifactId).executeTakeFirst()
}

export async function saveArtifact({ db }: TransactionContext, artifact: ArtifactRow): Promise<void> {
  const { task_id, artifact_id, ordinal, ...columns } = artifact
  await db
    .insertInto('artifacts')
    .values({ task_id, artifact_id, ordinal, ...columns })
    .onConflict((conflict) => conflict.columns(['task_id', 'artifact_id']).doUpdateSet(columns))
    .execute()
}
