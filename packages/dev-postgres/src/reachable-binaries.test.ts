import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findBinaries } from './binaries.js'
import { reachableBinaries } from './reachable-binaries.js'
import { serverAccount } from './server-account.js'

const isRoot = process.getuid?.() === 0

test('are used where they are by an account that can run them', async () => {
  const binaries = findBinaries()
  expect(await reachableBinaries(binaries, {})).toBe(binaries)
})

test.runIf(isRoot)('are copied to where the account of the server can run them', async () => {
  // Only its owner may enter this folder.
  const home = await mkdtemp(join(tmpdir(), 'moorage-home-'))
  onTestFinished(() => rm(home, { recursive: true, force: true }))
  const native = join(home, 'native')
  await cp(dirname(dirname(findBinaries().postgres)), native, { recursive: true, verbatimSymlinks: true })
  const account = await serverAccount()
  const found = await reachableBinaries({ initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') }, account)
  onTestFinished(() => rm(dirname(dirname(found.postgres)), { recursive: true, force: true }))
  expect(found.postgres.startsWith(home)).toBe(false)
  expect(await reachableBinaries(found, account)).toBe(found)
})
