import type { TaskJson } from '@moorage/protocol'
import type { Kysely, SelectQueryBuilder } from 'kysely'
import type { Principal } from '../principal.js'
import type { Schema } from '../schema.js'
import { buildTask, type TaskContent, type TaskJsonRow } from '../task-json.js'
import type { ListCursor, ListQuery, TaskPage } from '../task-store.js'
import { readArtifacts, readHistories } from './read-content.js'

/** To be called in a transaction, so that the total and the page are of one moment. */
export async function listTasks(db: Kysely<Schema>, query: ListQuery, viewer: Principal): Promise<TaskPage> {
  const visible = visibleTasks(db, query, viewer)
  const { total } = await visible.select((eb) => eb.fn.countAll<number | string>().as('total')).executeTakeFirstOrThrow()
  const rows = await (query.after ? following(visible, query.after) : visible)
    .select(['id', 'context_id', 'state', 'status_at', 'status_message', 'metadata'])
    .orderBy('status_at', 'desc')
    .orderBy('id', 'desc')
    .limit(query.pageSize + 1)
    .execute()
  const page = rows.slice(0, query.pageSize)
  const last = page.at(-1)
  return {
    tasks: await addContent(db, page, query),
    totalSize: Number(total),
    ...(last && rows.length > page.length ? { next: { statusAt: last.status_at, id: last.id } } : {}),
  }
}

type Tasks = SelectQueryBuilder<Schema, 'tasks', object>

function visibleTasks(db: Kysely<Schema>, query: ListQuery, viewer: Principal): Tasks {
  const joined = db.selectFrom('task_participants').select('task_id').where('participant', '=', viewer.participant)
  let tasks: Tasks = db.selectFrom('tasks').where('agent', '=', query.agent).where('tenant', '=', viewer.tenant).where('id', 'in', joined)
  if (query.contextId !== undefined) tasks = tasks.where('context_id', '=', query.contextId)
  if (query.state !== undefined) tasks = tasks.where('state', '=', query.state)
  if (query.statusSince !== undefined) tasks = tasks.where('status_at', '>=', query.statusSince)
  return tasks
}

function following(tasks: Tasks, after: ListCursor): Tasks {
  return tasks.where((eb) => eb(eb.refTuple('status_at', 'id'), '<', eb.tuple(after.statusAt, after.id)))
}

async function addContent(db: Kysely<Schema>, rows: readonly TaskJsonRow[], query: ListQuery): Promise<readonly TaskJson[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const artifacts = query.includeArtifacts ? await readArtifacts(db, ids) : undefined
  const histories = query.historyLength === 0 ? undefined : await readHistories(db, ids, query.historyLength)
  return rows.map((row) => {
    const content: TaskContent = {
      ...(artifacts && { artifacts: artifacts.get(row.id) ?? [] }),
      ...(histories && { history: histories.get(row.id) ?? [] }),
    }
    return buildTask(row, content)
  })
}
