import { appendFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where the processes of a test run write what they say, for a search at its end; set by `logs-setup.ts`. */
export const OUTPUT_FOLDER = 'CONTRACT_OUTPUT_FOLDER'

/** Keeps a piece of what a process has said, where the run wants it. */
export function keepOutput(pid: number | undefined, chunk: string): void {
  const folder = process.env[OUTPUT_FOLDER]
  if (folder !== undefined) appendFileSync(join(folder, `${pid}.log`), chunk)
}
