import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
/** Who runs the server where root may not. */
export const ACCOUNT = 'postgres'

/** Who runs the server: nobody else than the caller, or an account of its own. */
export interface Account {
  readonly uid?: number
  readonly gid?: number
}

/** Postgres refuses to run as root, for whom it is run as `postgres`, an account that is made where it is missing. */
export async function serverAccount(): Promise<Account> {
  if (process.getuid?.() !== 0) return {}
  try {
    return await find()
  } catch {
    await create()
    return find()
  }
}

async function find(): Promise<Account> {
  const [uid, gid] = await Promise.all([run('id', ['-u', ACCOUNT]), run('id', ['-g', ACCOUNT])])
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
}

async function create(): Promise<void> {
  try {
    await run('groupadd', ['--force', '--system', ACCOUNT])
    await run('useradd', ['--system', '--gid', ACCOUNT, '--no-create-home', ACCOUNT])
  } catch (error) {
    // Two processes may try at once.
    if ((error as { code?: unknown }).code === 9) return
    throw new Error(`Postgres does not run as root, and the account '${ACCOUNT}' could not be made. Make it, or use another account.`, {
      cause: error,
    })
  }
}
