import type { MessageJson } from '@moorage/protocol'
import type { ExpressionBuilder } from 'kysely'
import type { Authorization, ReceivedMessage } from '../inbox-row.js'
import type { Schema } from '../schema.js'
import type { TurnOpening } from '../turn.js'
import { sentBy } from './sent-by.js'
import type { TaskRow, TransactionContext } from './transaction-context.js'

/** What the messages of one turn have together, as JSON. */
const MOST_BYTES = 4 * 1024 * 1024

/** The last one that a process can well hold together with those before it. One always fits, however long it is. */
export function lastThatFits(rows: readonly { readonly position: number; readonly bytes: number }[]): number | undefined {
  let left = MOST_BYTES
  let last: number | undefined
  for (const { position, bytes } of rows) {
    left -= bytes
    if (last !== undefined && left < 0) break
    last = position
  }
  return last
}

/** What the turn has taken. Behind an authorisation it has the request again that had to wait for it. */
export async function receivedIn(
  context: TransactionContext,
  task: TaskRow,
): Promise<Pick<Extract<TurnOpening, { kind: 'opened' }>, 'received' | 'authorization'>> {
  const rows = await rowsOf(context, task, (eb) => eb('turn', '=', task.turn))
  const own = rows.filter(({ kind }) => kind === 'message').map(toReceived)
  const authorization = rows.find(({ kind }) => kind === 'authorization')
  if (!authorization) return { received: own }
  return { received: [...(await askedWith(context, task)), ...own], authorization: JSON.parse(authorization.message) as Authorization }
}

/** The messages of the turns in a row before this one that asked for an authorisation; the last of them, where they are too long together. */
async function askedWith(context: TransactionContext, task: TaskRow): Promise<readonly ReceivedMessage[]> {
  const { db } = context
  const { other } = await db
    .selectFrom('turns')
    .select((eb) => eb.fn.max('turn').as('other'))
    .where('task_id', '=', task.id)
    .where('turn', '<', task.turn)
    .where('outcome', '!=', 'require-auth')
    .executeTakeFirstOrThrow()
  const asking = (eb: InboxExpression) => eb.and([eb('turn', '>', other ?? 0), eb('turn', '<', task.turn), eb('kind', '=', 'message')])
  const sizes = await db
    .selectFrom('inbox')
    .select((eb) => ['position', eb.fn<number>('octet_length', ['message']).as('bytes')])
    .where('task_id', '=', task.id)
    .where(asking)
    .orderBy('position', 'desc')
    .execute()
  const first = lastThatFits(sizes)
  if (first === undefined) return []
  const rows = await rowsOf(context, task, (eb) => eb.and([asking(eb), eb('position', '>=', first)]))
  return rows.map(toReceived)
}

type InboxExpression = ExpressionBuilder<Schema, 'inbox'>

async function rowsOf({ db }: TransactionContext, task: TaskRow, which: (eb: InboxExpression) => ReturnType<InboxExpression['and']>) {
  return db
    .selectFrom('inbox')
    .select(['kind', 'message', 'tenant', 'subject', 'participant', 'annotations'])
    .where('task_id', '=', task.id)
    .where(which)
    .orderBy('position')
    .execute()
}

type Row = Awaited<ReturnType<typeof rowsOf>>[number]

function toReceived(row: Row): ReceivedMessage {
  return { message: JSON.parse(row.message) as MessageJson, ...sentBy(row) }
}
