import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder } from './make-folder.js'

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'moorage-folder-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

test('creates what is missing, also twice and at once', async () => {
  const path = join(await temporaryFolder(), 'a', 'b', 'c')
  await Promise.all([makeFolder(path), makeFolder(path)])
  await makeFolder(path)
  expect((await stat(path)).isDirectory()).toBe(true)
})

test.skipIf(process.platform === 'win32')('is for its owner alone, and leaves what is there as it is', async () => {
  const folder = await temporaryFolder()
  const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)
  await makeFolder(join(folder, 'a', 'b'))
  expect(await modeOf(join(folder, 'a', 'b'))).toBe('700')
  await makeFolder(join(folder, 'reached'), 0o711)
  expect(await modeOf(join(folder, 'reached'))).toBe('711')
  await chmod(join(folder, 'a', 'b'), 0o755)
  await makeFolder(join(folder, 'a', 'b'))
  expect(await modeOf(join(folder, 'a', 'b'))).toBe('755')
  // What is above it is nobody's data.
  expect(await modeOf(join(folder, 'a'))).toBe((0o777 & ~process.umask()).toString(8))
})

test('fails where a file has the name, or is above it', async () => {
  const file = join(await temporaryFolder(), 'file')
  await writeFile(file, '')
  await expect(makeFolder(file)).rejects.toThrow(/EEXIST/)
  await expect(makeFolder(join(file, 'below'))).rejects.toThrow(/ENOTDIR/)
})

test.runIf(process.platform === 'linux')('fails, and comes back, where the file system makes no folders', async () => {
  await expect(makeFolder('/proc/moorage/data')).rejects.toThrow(/ENOENT/)
})
