import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { access, chmod, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ACCOUNT, type Account } from './server-account.js'

const run = promisify(execFile)
const PASSWORD_FILE = 'moorage-password'
export const USER = 'postgres'

export interface ClusterOptions {
  readonly initdb: string
  readonly dataDir: string
  readonly account: Account
  /** Whether what is made is on the disk before it is used. */
  readonly sync: boolean
}

/** What is in the data folder: the files of the server, and the password of its user. */
export interface Cluster {
  readonly folder: string
  readonly password: string
}

/** Makes the database cluster where the data folder has none. It gets its name when it is complete: a start that was killed leaves no half one. */
export async function makeCluster(options: ClusterOptions): Promise<Cluster> {
  const folder = join(options.dataDir, 'cluster')
  await mkdir(options.dataDir, { recursive: true })
  await own(options.dataDir, options.account)
  if (!(await exists(join(folder, 'PG_VERSION')))) await create(folder, options)
  return { folder, password: await readFile(join(folder, PASSWORD_FILE), 'utf8') }
}

async function create(folder: string, { initdb, account, sync }: ClusterOptions): Promise<void> {
  const suffix = randomBytes(6).toString('hex')
  const draft = `${folder}.${suffix}`
  const passwordFile = `${draft}.${PASSWORD_FILE}`
  try {
    await writeFile(passwordFile, randomBytes(18).toString('base64url'), { mode: 0o600 })
    await own(passwordFile, account)
    const args = ['--pgdata', draft, '--username', USER, '--pwfile', passwordFile, '--auth', 'scram-sha-256']
    const options = ['--encoding', 'UTF8', '--locale', 'C', ...(sync ? [] : ['--no-sync'])]
    await run(initdb, [...args, ...options], { ...account, cwd: '/' })
    await rename(passwordFile, join(draft, PASSWORD_FILE))
    // Fails where another process was faster: then its cluster is used.
    await rename(draft, folder).catch((error: unknown) => exists(folder).then((made) => (made ? undefined : Promise.reject(error))))
  } catch (error) {
    throw new Error(`The database cluster ${folder} could not be made: ${reasonOf(error)}${hint(error, account)}`, { cause: error })
  } finally {
    await Promise.all([rm(draft, { recursive: true, force: true }), rm(passwordFile, { force: true })])
  }
}

async function own(path: string, { uid, gid }: Account): Promise<void> {
  if (uid === undefined || gid === undefined) return
  await chown(path, uid, gid)
  await chmod(path, path.endsWith(PASSWORD_FILE) ? 0o600 : 0o700)
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

function hint(error: unknown, { uid }: Account): string {
  if (uid === undefined || !/Permission denied|EACCES/.test(reasonOf(error))) return ''
  return `. Started by root, the server runs as the account '${ACCOUNT}', which must be able to reach its data folder and its programs.`
}

function reasonOf(error: unknown): string {
  const { stderr, message } = error as { readonly stderr?: string; readonly message?: string }
  return stderr?.trim() || message || String(error)
}
