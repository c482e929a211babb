import type { Kysely } from 'kysely'
import type { Schema } from './schema.js'

/** What the first migration made. */
export interface Identity {
  readonly id: string
  readonly tokenKey: Uint8Array
}

export async function readIdentity(db: Kysely<Schema>): Promise<Identity> {
  const rows = await db.selectFrom('meta').selectAll().execute()
  const meta = new Map(rows.map((row) => [row.name, row.value]))
  const id = meta.get('store_id')
  const tokenKey = meta.get('token_key')
  if (id === undefined || tokenKey === undefined) throw new Error('The database has lost its store_id or token_key: restore its meta table')
  return { id, tokenKey: new Uint8Array(Buffer.from(tokenKey, 'base64')) }
}
