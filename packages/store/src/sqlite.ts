/**
 * The store in an SQLite file, for one machine.
 * @module
 */
export { openSqliteAudit } from './sqlite/open-sqlite-audit.js'
export { openSqliteStore } from './sqlite/open-sqlite-store.js'
export type { SqliteStoreOptions } from './sqlite/settings.js'
