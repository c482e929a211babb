import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@moorage/dev-postgres'
import type { TestProject } from 'vitest/node'
import { runSql } from './run-sql.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** A database whose user may make schemas. */
    readonly databaseUrl: string
  }
}

/**
 * Starts one server for all tests, whose loss would lose nothing. Its database orders texts as English does, which ours must not depend on.
 * `MOORAGE_TEST_DATABASE_URL` names another database instead.
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  // biome-ignore lint/style/noProcessEnv: tests have no app that could pass it on
  const url = process.env['MOORAGE_TEST_DATABASE_URL']
  if (url) {
    project.provide('databaseUrl', url)
    return undefined
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'moorage-postgres-'))
  const server = await startPostgres({ dataDir, settings: { fsync: 'off' } })
  const name = 'english'
  await runSql(`create database ${name} template template0 encoding utf8 locale_provider icu icu_locale 'en-US'`, server.url)
  const english = new URL(server.url)
  english.pathname = name
  project.provide('databaseUrl', english.href)
  return async () => {
    await server.stop('immediate')
    await rm(dataDir, { recursive: true })
  }
}
