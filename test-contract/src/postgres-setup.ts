import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@moorage/dev-postgres'
import type { TestProject } from 'vitest/node'
import { refuseFinds } from './redaction/refuse-finds.js'
import { searchFolder } from './redaction/search-folder.js'
import { searchServer } from './redaction/search-postgres.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the Postgres that all tests of the run share; its user may create databases. */
    readonly postgres: string
  }
}

/** Starts the one Postgres of the run, unless the environment names another. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { MOORAGE_TEST_DATABASE_URL: given } = process.env
  if (given) {
    project.provide('postgres', given)
    return async () => {}
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'moorage-postgres-'))
  const server = await startPostgres({ dataDir })
  project.provide('postgres', server.url)
  return async () => {
    const rows = await searchServer(server.url)
    await server.stop()
    const found = [...rows, ...(await searchFolder(dataDir))]
    await rm(dataDir, { recursive: true, force: true })
    refuseFinds('Postgres', found)
  }
}
