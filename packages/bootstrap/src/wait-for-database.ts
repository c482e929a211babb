import { access } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { seconds } from './describe-runs.js'
import type { AppPorts } from './run-app.js'
import { StartError } from './start-error.js'

const LOOK_MS = 100

/**
 * Waits for a SQLite file that another process makes: whoever names the wrong folder should not get a new, empty database.
 * @throws StartError where it does not come
 */
export async function waitForDatabase(
  path: string,
  { progress, signal }: Pick<AppPorts, 'progress' | 'signal'>,
  patienceMs = 15_000,
): Promise<void> {
  const deadline = performance.now() + patienceMs
  const where = `${dirname(path)} (MOORAGE_DATA_DIR)`
  if (await exists(path)) return
  progress(`There is no database in ${where}; waiting ${seconds(patienceMs)} for it.`)
  while (performance.now() < deadline) {
    await delay(LOOK_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
    if (await exists(path)) return
  }
  throw new StartError(`There is no database in ${where}: start apps/agent on that folder first, or set DATABASE_URL.`)
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
