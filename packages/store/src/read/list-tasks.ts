import type { TaskJson } from '@moorage/protocol'
import { type Expression, expressionBuilder, type Kysely, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Principal } from '../principal.js'
import type { Schema } from '../schema.js'
import { buildTask, type TaskContent, type TaskJsonRow } from '../task-json.js'
import type { ListCursor, ListQuery, TaskPage } from '../task-store.js'
import { readArtifacts, readHistories } from './read-content.js'

/** Up to here it is cheaper to sort a viewer's tasks than to look for them among everybody's, newest first. */
const FEW = 1000

/** To be called in a transaction, so that the total and the page are of one moment. */
export async function listTasks(db: Kysely<Schema>, query: ListQuery, viewer: Principal): Promise<TaskPage> {
  const wanted = matches(query, viewer)
  const totalSize = await count(db, query, viewer)
  const source = query.contextId === undefined && totalSize <= FEW ? byMembership(db, query, viewer) : inOrder(db, viewer)
  const rows = await (query.after ? source.where(follows(query.after)) : source)
    .where(wanted)
    .select(['tasks.id', 'tasks.context_id', 'tasks.state', 'tasks.status_at', 'tasks.status_message', 'tasks.metadata'])
    .orderBy('tasks.status_at', 'desc')
    .orderBy('tasks.id', 'desc')
    .limit(query.pageSize + 1)
    .execute()
  const page = rows.slice(0, query.pageSize)
  const last = page.at(-1)
  return {
    tasks: await addContent(db, page, query),
    totalSize,
    ...(last && rows.length > page.length ? { next: { statusAt: last.status_at, id: last.id } } : {}),
  }
}

/** How many tasks of the viewer's match; those that are not filtered are counted without a look at them. */
async function count(db: Kysely<Schema>, query: ListQuery, viewer: Principal): Promise<number> {
  const { contextId, state, statusSince } = query
  const filtered = contextId !== undefined || state !== undefined || statusSince !== undefined
  const all = sql<number>`count(*)`.as('total')
  if (!filtered) return (await memberships(db, query, viewer).select(all).executeTakeFirstOrThrow()).total
  const tasks = contextId === undefined ? byMembership(db, query, viewer) : inOrder(db, viewer)
  return (await tasks.where(matches(query, viewer)).select(all).executeTakeFirstOrThrow()).total
}

function memberships(db: Kysely<Schema>, { agent }: ListQuery, { participant, tenant }: Principal) {
  return db
    .selectFrom('task_participants as mine')
    .where('mine.participant', '=', participant)
    .where('mine.tenant', '=', tenant)
    .where('mine.agent', '=', agent)
}

type Tasks = SelectQueryBuilder<Schema, 'tasks', object>

/** The viewer's tasks, found by membership. SQLite never reorders a CROSS JOIN; to Postgres it is a join like any other. */
function byMembership(db: Kysely<Schema>, query: ListQuery, viewer: Principal): Tasks {
  const joined = memberships(db, query, viewer).crossJoin('tasks').whereRef('tasks.id', '=', 'mine.task_id')
  return joined as unknown as Tasks
}

/** The viewer's tasks, found on the way through the index of all tasks. */
function inOrder(db: Kysely<Schema>, viewer: Principal): Tasks {
  return db
    .selectFrom('tasks')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('task_participants')
          .select('task_id')
          .whereRef('task_participants.task_id', '=', 'tasks.id')
          .where('participant', '=', viewer.participant),
      ),
    )
}

function matches(query: ListQuery, viewer: Principal): Expression<SqlBool> {
  const eb = expressionBuilder<Schema, 'tasks'>()
  return eb.and([
    eb('tasks.agent', '=', query.agent),
    eb('tasks.tenant', '=', viewer.tenant),
    ...(query.contextId === undefined ? [] : [eb('tasks.context_id', '=', query.contextId)]),
    ...(query.state === undefined ? [] : [eb('tasks.state', '=', query.state)]),
    ...(query.statusSince === undefined ? [] : [eb('tasks.status_at', '>=', query.statusSince)]),
  ])
}

function follows(after: ListCursor): Expression<SqlBool> {
  const eb = expressionBuilder<Schema, 'tasks'>()
  return eb(eb.refTuple('tasks.status_at', 'tasks.id'), '<', eb.tuple(after.statusAt, after.id))
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
