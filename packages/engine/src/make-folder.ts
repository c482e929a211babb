import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a folder and those above it. Node's own `recursive` never comes back where a file system answers ENOENT for a folder that it will not make,
 * as /proc does.
 * @throws Error with the file system's `code`, EEXIST where something else has the name.
 */
export async function makeFolder(path: string): Promise<void> {
  const code = await makeOne(path)
  if (code !== 'ENOENT') return
  await makeFolder(dirname(path))
  await mkdir(path).catch(async (error: unknown) => requireFolder(path, error))
}

async function makeOne(path: string): Promise<'ENOENT' | undefined> {
  try {
    await mkdir(path)
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
