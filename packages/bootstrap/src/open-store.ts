import { setTimeout as delay } from 'node:timers/promises'
import { StoreUnavailableError, type TaskStore } from '@moorage/store'
import { describeRefusal, describeSilence } from './database-fault.js'
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
    const tried = performance.now()
    try {
      return await openPostgresStore({ url: url.reveal(), poolSize, wakeAfterMs })
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw describeRefusal(error, where, url.reveal())
      const now = performance.now()
      const reason = describeSilence(error, url.reveal(), now - tried)
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
