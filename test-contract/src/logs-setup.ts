import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OUTPUT_FOLDER } from './processes/kept-output.js'
import { refuseFinds } from './redaction/refuse-finds.js'
import { searchFolder } from './redaction/search-folder.js'

/** Keeps what the processes of the run say until its end, and searches it for the secrets of the redaction's corpus. */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'moorage-output-'))
  process.env[OUTPUT_FOLDER] = folder
  return async () => {
    const found = await searchFolder(folder)
    await rm(folder, { recursive: true, force: true })
    refuseFinds('what the processes have said', found)
  }
}
