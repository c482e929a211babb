import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { childEnvironment } from '@moorage/engine/programs'
import { ClusterError } from '../cluster-error.js'
import { connectPostgres, hasDatabase, urlOfDatabase } from '../processes/postgres-client.js'

const run = promisify(execFile)

export interface PrepareSchemaOptions {
  /** URL of the Postgres, with a user that may make databases. */
  readonly postgresUrl: string
  readonly database: string
  /** Which of the schemas that the tool brings along. */
  readonly schema: 'temporal' | 'visibility'
  readonly schemaTool: string
}

/**
 * Makes the database with Temporal's schema, or brings the schema of an existing one to the tool's version; returns its URL. A new database gets
 * its name when its schema is whole: the tool's steps are no transaction, and cannot be repeated once one of them was cut off.
 * @throws ClusterError with what the tool said
 */
export async function prepareSchema(options: PrepareSchemaOptions): Promise<string> {
  const { postgresUrl, database } = options
  const client = await connectPostgres(postgresUrl)
  try {
    if (await hasDatabase(client, database)) {
      await update(options, database)
    } else {
      const draft = `${database}_draft`
      const quoted = client.escapeIdentifier(draft)
      await client.query(`drop database if exists ${quoted}`)
      await client.query(`create database ${quoted}`)
      await runTool(options, draft, ['setup-schema', '-v', '0.0'])
      await update(options, draft)
      await tellName(urlOfDatabase(postgresUrl, draft), database)
      await client.query(`alter database ${quoted} rename to ${client.escapeIdentifier(database)}`)
    }
  } finally {
    await client.end()
  }
  return urlOfDatabase(postgresUrl, database)
}

/** The version of a schema is kept under the name of its database. */
async function tellName(url: string, name: string): Promise<void> {
  const client = await connectPostgres(url)
  try {
    await client.query('update schema_version set db_name = $1', [name])
  } finally {
    await client.end()
  }
}

function update(options: PrepareSchemaOptions, database: string): Promise<void> {
  return runTool(options, database, ['update-schema', '--schema-name', `postgresql/v12/${options.schema}`])
}

async function runTool(options: PrepareSchemaOptions, database: string, command: readonly string[]): Promise<void> {
  const { hostname, port, username, password } = new URL(options.postgresUrl)
  const target = ['--plugin', 'postgres12', '--ep', hostname, '-p', port, '-u', decodeURIComponent(username), '--db', database]
  // Not as an argument, which other users of this machine can read.
  const env = { ...childEnvironment(undefined), SQL_PASSWORD: decodeURIComponent(password) }
  try {
    await run(options.schemaTool, [...target, ...command], { env, timeout: 120_000, maxBuffer: 16 * 1024 * 1024 })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string }
    const lines = `${stdout}${stderr}`.split('\n').filter((line) => /ERROR|error/.test(line))
    const said = lines.slice(-3).join('\n') || (error instanceof Error ? error.message : String(error))
    throw new ClusterError(`Temporal's schema could not be made in the database ${database}:\n${said}`, { cause: error })
  }
}
