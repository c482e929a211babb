/** Ends the run as failed where something was found, and says where, with the names of the corpus' entries. */
export function refuseFinds(where: string, found: readonly string[]): void {
  if (found.length === 0) return
  // An error that a global teardown throws fails no run, and keeps the other teardowns from ending what they have started.
  process.exitCode = 1
  process.stderr.write(`Secrets of the redaction's corpus are in ${where} after the run:\n${found.join('\n')}\n`)
}
