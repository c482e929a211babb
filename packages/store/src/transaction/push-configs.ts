import type { PushConfigRecord } from '../push-config.js'
import type { TransactionContext } from './transaction-context.js'

export async function pushConfigIds({ db }: TransactionContext, taskId: string): Promise<readonly string[]> {
  const rows = await db.selectFrom('push_configs').select('config_id').where('task_id', '=', taskId).orderBy('ordinal').execute()
  return rows.map((row) => row.config_id)
}

/** Keeps the config after the task's last one, or in the place of the one that has its id. */
export function putPushConfig({ db, now, pending }: TransactionContext, taskId: string, config: PushConfigRecord): void {
  const content = {
    url: config.url,
    scheme: config.scheme ?? null,
    sealed: config.sealed ?? null,
    wire_version: config.wireVersion,
    created_at: now,
  }
  pending.push(() =>
    db
      .insertInto('push_configs')
      .values((eb) => ({
        task_id: taskId,
        config_id: config.id,
        ordinal: eb
          .selectFrom('push_configs')
          .select((all) => all(all.fn.coalesce(all.fn.max('ordinal'), all.lit(0)), '+', 1).as('next'))
          .where('task_id', '=', taskId),
        ...content,
      }))
      .onConflict((conflict) => conflict.columns(['task_id', 'config_id']).doUpdateSet(content))
      .execute(),
  )
}

export function deletePushConfig({ db, pending }: TransactionContext, taskId: string, id: string): void {
  pending.push(() => db.deleteFrom('push_configs').where('task_id', '=', taskId).where('config_id', '=', id).execute())
}
