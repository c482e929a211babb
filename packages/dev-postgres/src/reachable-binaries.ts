import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { cp, mkdtemp, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Binaries } from './binaries.js'
import type { Account } from './server-account.js'

const run = promisify(execFile)

/**
 * The programs where the account can run them: root may have installed them in a folder of its own, such as its home, which an account that is
 * made for the server cannot enter. Then a copy of them is kept in the system's folder for temporary files.
 */
export async function reachableBinaries(binaries: Binaries, account: Account): Promise<Binaries> {
  if (account.uid === undefined || (await canRun(binaries.postgres, account))) return binaries
  const native = dirname(dirname(binaries.postgres))
  const folder = join(tmpdir(), `moorage-postgres-${createHash('sha256').update(native).digest('hex').slice(0, 16)}`)
  if (!(await isOurs(folder))) await copy(native, folder)
  return { initdb: join(folder, 'bin', 'initdb'), postgres: join(folder, 'bin', 'postgres') }
}

async function canRun(program: string, account: Account): Promise<boolean> {
  return run(program, ['--version'], { ...account, cwd: '/' }).then(
    () => true,
    () => false,
  )
}

/** Anybody can make a folder there: what root runs must be root's. */
async function isOurs(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => undefined)
  return found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & 0o022) === 0
}

async function copy(native: string, folder: string): Promise<void> {
  const draft = join(await mkdtemp(join(tmpdir(), 'moorage-postgres-')), randomUUID())
  try {
    await cp(native, draft, { recursive: true, verbatimSymlinks: true })
    // Fails where another process was faster: then its copy is used.
    await rename(draft, folder).catch(async (error: unknown) => {
      if (!(await isOurs(folder))) throw error
    })
  } finally {
    await rm(dirname(draft), { recursive: true, force: true })
  }
}
