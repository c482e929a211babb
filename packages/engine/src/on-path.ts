import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** A program's file name on this system. */
export function programFile(name: string): string {
  return process.platform === 'win32' ? `${name}.exe` : name
}

/** Every executable file of that name in the folders of a PATH, in order. */
export async function findOnPath(name: string, path: string | undefined): Promise<readonly string[]> {
  const folders = new Set((path ?? '').split(delimiter).filter((folder) => folder !== ''))
  const found: string[] = []
  for (const folder of folders) {
    const file = join(folder, programFile(name))
    const executable = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (executable) found.push(file)
  }
  return found
}
