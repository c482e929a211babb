import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A path in a directory that is removed after the test. */
export function temporaryFile(): string {
  const directory = mkdtempSync(join(tmpdir(), 'moorage-store-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return join(directory, 'store.db')
}
