import { randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** A path of this process's own beside `place`, for what is moved there once it is whole. */
export function temporaryBeside(place: string): string {
  return `${place}.${process.pid}.${randomUUID()}.tmp`
}

/** Removes what processes that were killed meanwhile have left beside `place`. */
export async function sweepTemporary(place: string): Promise<void> {
  const folder = dirname(place)
  const prefix = `${basename(place)}.`
  for (const name of await readdir(folder)) {
    const pid = name.startsWith(prefix) ? /^(\d+)\.[\w-]+\.tmp$/.exec(name.slice(prefix.length))?.[1] : undefined
    if (pid !== undefined && !isRunning(Number(pid))) await rm(join(folder, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
