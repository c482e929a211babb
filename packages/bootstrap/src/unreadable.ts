/** Why a file cannot be read, as the end of a sentence. */
export function unreadable(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist'
  if (code === 'EACCES' || code === 'EPERM') return 'this process may not read'
  if (code === 'EISDIR') return 'is a folder'
  return `cannot be read (${error instanceof Error ? error.message : String(error)})`
}
