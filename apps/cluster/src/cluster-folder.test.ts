import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { folderOf, openFolder } from './cluster-folder.js'

it('is one for the cluster, and one beside it for each other mode', () => {
  expect(folderOf('run', undefined, '/home')).toBe('/home/.moorage-cluster')
  expect(folderOf('run', ' ', '/home')).toBe('/home/.moorage-cluster')
  expect(folderOf('demo', 'mine', '/home')).toBe('/home/mine-demo')
  expect(folderOf('test', '/mine', '/home')).toBe('/mine-test')
})

it.skipIf(process.platform === 'win32')('lets the account of Postgres through where root makes it, and nobody read it', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'moorage-cluster-'))
  onTestFinished(() => rm(parent, { recursive: true }))
  const { path, claim } = await openFolder(join(parent, 'cluster'))
  const modeOf = async (folder: string) => (await stat(folder)).mode & 0o777
  expect(await modeOf(path)).toBe(process.getuid?.() === 0 ? 0o711 : 0o700)
  expect(await modeOf(join(path, 'logs'))).toBe(0o700)
  await claim.release()
})

it('belongs to one process at a time, and begins with empty logs', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'moorage-cluster-'))
  onTestFinished(() => rm(parent, { recursive: true }))
  const path = join(parent, 'cluster')
  const first = await openFolder(path)
  await writeFile(join(path, 'logs', 'agent-1.log'), 'from before')
  await first.claim.announce('http://127.0.0.1:8080')
  const refusal = `belongs to a cluster that runs (process ${process.pid}, which serves http://127.0.0.1:8080)`
  await expect(openFolder(path)).rejects.toMatchObject({ name: 'ClusterError', message: expect.stringContaining(refusal) as string })
  await first.claim.release()
  const second = await openFolder(path)
  expect(await readdir(join(path, 'logs'))).toEqual([])
  await second.claim.release()
})
