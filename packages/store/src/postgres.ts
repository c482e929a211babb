/**
 * The store in a Postgres database, for any number of processes.
 * @module
 */
export { openPostgresAudit } from './postgres/open-postgres-audit.js'
export { openPostgresStore } from './postgres/open-postgres-store.js'
export type { PostgresStoreOptions } from './postgres/settings.js'
