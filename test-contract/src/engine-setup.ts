import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EngineCli, ensureEngine, startEngine } from '@moorage/engine'
import type { TestProject } from 'vitest/node'
import { PATIENCE_MS } from './patience.js'
import { refuseFinds } from './redaction/refuse-finds.js'
import { searchFolder } from './redaction/search-folder.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the engine that all tests of the run share. */
    readonly engine: string
    /** For tests that need an engine of their own. */
    readonly engineCli: EngineCli
  }
}

/** Starts the one engine of the run, unless the environment names a Temporal server for the tests that can run on any. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { TEMPORAL_CLI: cli, PATH: path, MOORAGE_TEST_TEMPORAL_ADDRESS: given } = process.env
  if (given) {
    project.provide('engine', given)
    return async () => {}
  }
  const engineCli = await ensureEngine({ cli, path, env: process.env })
  const dataDir = await mkdtemp(join(tmpdir(), 'moorage-engine-'))
  const engine = await startEngine({ cli: engineCli, dataDir, readyTimeoutMs: PATIENCE_MS })
  project.provide('engine', engine.address)
  project.provide('engineCli', engineCli)
  return async () => {
    await engine.stop()
    const found = await searchFolder(dataDir)
    await rm(dataDir, { recursive: true, force: true })
    refuseFinds("the engine's folder", found)
  }
}
