/**
 * The store in an SQLite file, for one machine.
 * @module
 */
export { openSqliteStore } from './sqlite/open-sqlite-store.js'
export type { SqliteStoreOptions } from './sqlite/settings.js'
