import { setTimeout as delay } from 'node:timers/promises'
import { StoreUnavailableError, type TaskStore } from '@moorage/store'
import { ConfigError } from './config-error.js'
import { seconds } from './describe-runs.js'
import type { AppPorts } from './run-app.js'
import type { SharedConfig, StoreConfig } from './shared-config.js'
import { StartError } from './start-error.js'
import type { Teardown } from './teardown.js'

const RETRY_MS = 1000
const SAY_EVERY_MS = 10_000

/** How long a start waits for a Postgres that does not answer. */
const POSTGRES_PATIENCE_MS = 60_000

type StorePorts = Pick<AppPorts, 'progress' | 'signal'>

/**
 * Opens the store of the configuration. A Postgres that does not answer is waited for, and every ten seconds that is said: where everything is
 * started at once, the database often comes last.
 * @throws ConfigError where Postgres does not take this process or its URL, StartError where it does not answer for `patienceMs`; without credentials
 */
export async function openStore(
  config: Pick<SharedConfig, 'store' | 'wakeAfterMs'>,
  ports: StorePorts,
  teardown: Teardown,
  patienceMs = POSTGRES_PATIENCE_MS,
): Promise<TaskStore> {
  const { store: where, wakeAfterMs } = config
  const store =
    where.kind === 'sqlite' ? await openSqlite(where.path, wakeAfterMs) : await openPostgres(where, wakeAfterMs, { ...ports, patienceMs })
  teardown.add('store', () => store.close())
  return store
}

/** A process loads the driver of the database that it uses, and no other. */
async function openSqlite(path: string, wakeAfterMs: number): Promise<TaskStore> {
  const { openSqliteStore } = await import('@moorage/store/sqlite')
  return openSqliteStore({ path, wakeAfterMs })
}

async function openPostgres(
  { url, where, poolSize }: StoreConfig & { readonly kind: 'postgres' },
  wakeAfterMs: number,
  { progress, signal, patienceMs }: StorePorts & { readonly patienceMs: number },
): Promise<TaskStore> {
  const { openPostgresStore } = await import('@moorage/store/postgres')
  const begun = performance.now()
  let saidAt = Number.NEGATIVE_INFINITY
  for (;;) {
    signal.throwIfAborted()
    try {
      return await openPostgresStore({ url: url.reveal(), poolSize, wakeAfterMs })
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw describeRefusal(error, where, url.reveal())
      const reason = reasonOf(error, url.reveal())
      const now = performance.now()
      if (now - begun >= patienceMs) {
        throw new StartError(
          `Postgres at ${where} (DATABASE_URL) has not answered for ${seconds(patienceMs)}: ${reason}. Start it, or correct DATABASE_URL.`,
        )
      }
      if (now - saidAt >= SAY_EVERY_MS) {
        progress(`Postgres at ${where} (DATABASE_URL) does not answer yet: ${reason}. Trying for ${seconds(patienceMs - (now - begun))}.`)
        saidAt = now
      }
      await delay(RETRY_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
  }
}

/** What no repetition cures: the URL, or the database itself, has to be changed. */
function describeRefusal(error: unknown, where: string, url: string): ConfigError {
  const reason = reasonOf(error, url)
  const ofUrl = error instanceof TypeError ? /^url (.*)/.exec(reason)?.[1] : undefined
  if (ofUrl !== undefined) return new ConfigError([`DATABASE_URL ${ofUrl}`], { cause: error })
  const plain = reason.replace(/^Cannot open the database \S+ of the url: /, '')
  return new ConfigError([`DATABASE_URL: Postgres at ${where} cannot be used: ${plain}`], { cause: error })
}

/** In one line, and without what the URL keeps secret. */
function reasonOf(error: unknown, url: string): string {
  const { password } = new URL(url)
  const text = (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').replace(/\.$/, '')
  return [url, password, decodeURIComponent(password)].reduce(
    (plain, secret) => (secret === '' ? plain : plain.replaceAll(secret, '…')),
    text,
  )
}
