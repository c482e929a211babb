import { type FileHandle, open, readdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { findCorpus, LONGEST_FORM } from './find-corpus.js'

const PIECE_BYTES = 8 * 1024 * 1024

/** Searches every file of a folder for the corpus' secrets. What it finds is named by file and entry, never shown. */
export async function searchFolder(folder: string): Promise<readonly string[]> {
  const found: string[] = []
  const buffer = Buffer.alloc(PIECE_BYTES)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const names = await searchFile(path, buffer)
    if (names.length > 0) found.push(`${relative(folder, path)}: ${names.join(', ')}`)
  }
  return found
}

async function searchFile(path: string, buffer: Buffer): Promise<readonly string[]> {
  const file = await openIfThere(path)
  if (file === undefined) return []
  const names = new Set<string>()
  try {
    for (let kept = 0, position = 0; ; ) {
      const { bytesRead } = await file.read(buffer, kept, buffer.length - kept, position)
      if (bytesRead === 0) return [...names]
      const filled = kept + bytesRead
      for (const name of findCorpus(buffer.subarray(0, filled))) names.add(name)
      position += bytesRead
      // What a piece ends in may go on in the next one.
      kept = Math.min(filled, LONGEST_FORM)
      buffer.copyWithin(0, filled - kept, filled)
    }
  } finally {
    await file.close()
  }
}

/** Servers that run remove files while they are searched. */
async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
