import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/** What is in a data folder is its owner's alone. */
const OWN = 0o700
const USUAL = 0o777

/**
 * Creates a folder, for its owner alone, and those above it, with the usual mode; what exists stays as it is. Node's own `recursive` never comes
 * back where a file system answers ENOENT for a folder that it will not make, as /proc does.
 * @throws Error with the file system's `code`, EEXIST where something else has the name.
 */
export async function makeFolder(path: string, mode = OWN): Promise<void> {
  const code = await makeOne(path, mode)
  if (code !== 'ENOENT') return
  await makeFolder(dirname(path), USUAL)
  await mkdir(path, mode).catch(async (error: unknown) => requireFolder(path, error))
}

async function makeOne(path: string, mode: number): Promise<'ENOENT' | undefined> {
  try {
    await mkdir(path, mode)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && dirname(path) !== path) return 'ENOENT'
    await requireFolder(path, error)
  }
  return undefined
}

/** Somebody else may have made the folder; anything else that stands in the way is the error. */
async function requireFolder(path: string, error: unknown): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isDirectory()) throw error
}
