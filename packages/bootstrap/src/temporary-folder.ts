import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A new folder, and how to remove it. */
export async function makeTemporaryFolder(): Promise<{ readonly path: string; readonly remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'moorage-bootstrap-'))
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) }
}

/** A new folder that is removed when the test has finished, after what the test registered later. */
export async function temporaryFolder(): Promise<string> {
  const { path, remove } = await makeTemporaryFolder()
  onTestFinished(remove)
  return path
}
