import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

const TAIL_BYTES = 2_000

/** The last lines of a log. */
export function tailOf(file: string): string {
  const log = openSync(file, 'r')
  try {
    const { size } = fstatSync(log)
    const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES))
    readSync(log, bytes, 0, bytes.length, size - bytes.length)
    const lines = bytes.toString('utf8').split('\n')
    // The first one is cut where the log is longer.
    return (size > TAIL_BYTES ? lines.slice(1) : lines).map((line) => `  ${line}`).join('\n')
  } finally {
    closeSync(log)
  }
}
