import type { ArtifactJson, MessageJson, PartJson } from '@moorage/protocol'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.js'
import { buildArtifact } from '../task-json.js'

/** The artifacts of each of the tasks, in the order in which they were begun. A task without any has no entry. */
export async function readArtifacts(db: Kysely<Schema>, ids: readonly string[]): Promise<ReadonlyMap<string, readonly ArtifactJson[]>> {
  const artifacts = await db
    .selectFrom('artifacts')
    .select(['task_id', 'artifact_id', 'name', 'description'])
    .where('task_id', 'in', ids)
    .orderBy('task_id')
    .orderBy('ordinal')
    .execute()
  if (artifacts.length === 0) return new Map()
  const parts = await readParts(db, ids)
  return gather(artifacts, (row) => buildArtifact(row, parts.get(partsKey(row)) ?? []))
}

/** The history of each of the tasks, oldest first: its last `length` messages, or all. A task without any has no entry. */
export async function readHistories(
  db: Kysely<Schema>,
  ids: readonly string[],
  length?: number,
): Promise<ReadonlyMap<string, readonly MessageJson[]>> {
  let query = db
    .selectFrom('task_history as h')
    .select(['h.task_id', 'h.message'])
    .where('h.task_id', 'in', ids)
    .orderBy('h.task_id')
    .orderBy('h.ordinal')
  if (length !== undefined) {
    // Ordinals are dense but for the current status's message, so the last ones are found without counting rows; one may be too many.
    query = query.where((eb) =>
      eb(
        'h.ordinal',
        '>',
        eb(
          eb
            .selectFrom('task_history as newest')
            .select((newest) => newest.fn.max('newest.ordinal').as('ordinal'))
            .whereRef('newest.task_id', '=', 'h.task_id'),
          '-',
          length + 1,
        ),
      ),
    )
  }
  const histories = gather(await query.execute(), (row) => JSON.parse(row.message) as MessageJson)
  if (length === undefined) return histories
  return new Map([...histories].map(([id, messages]) => [id, messages.slice(-length)]))
}

/** An artifact may have very many parts: the database joins them to one text, which is parsed once. */
async function readParts(db: Kysely<Schema>, ids: readonly string[]): Promise<ReadonlyMap<string, readonly PartJson[]>> {
  const rows = await db
    .selectFrom('artifact_parts')
    .select(['task_id', 'artifact_id', sql<string>`string_agg(part, ',' order by ordinal)`.as('parts')])
    .where('task_id', 'in', ids)
    .groupBy(['task_id', 'artifact_id'])
    .execute()
  return new Map(rows.map((row) => [partsKey(row), JSON.parse(`[${row.parts}]`) as PartJson[]]))
}

function partsKey(row: { readonly task_id: string; readonly artifact_id: string }): string {
  return JSON.stringify([row.task_id, row.artifact_id])
}

function gather<Row extends { readonly task_id: string }, Value>(
  rows: readonly Row[],
  toValue: (row: Row) => Value,
): ReadonlyMap<string, readonly Value[]> {
  const values = new Map<string, Value[]>()
  for (const row of rows) push(values, row.task_id, toValue(row))
  return values
}

function push<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}
