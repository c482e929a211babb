import { randomBytes } from 'node:crypto'
import { link, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentCardJson } from '@moorage/protocol'
import { createPushKeyRing, type PushKeyRing } from '@moorage/push'
import { ConfigError } from './config-error.js'
import { type NamedKey, namedKeys } from './named-keys.js'
import type { StoreConfig } from './shared-config.js'
import { unreadable } from './unreadable.js'

/** What decides where the keys of push notification configs come from. */
export interface PushKeyConfig {
  /** MOORAGE_PUSH_KEYS. */
  readonly pushKeys: readonly NamedKey[] | undefined
  readonly dataDir: string | undefined
  readonly store: Pick<StoreConfig, 'kind'>
}

const FILE = 'push-keys'

/**
 * The keys that seal the secrets of push notification configs, where the card declares push notifications: those of MOORAGE_PUSH_KEYS, else those of
 * a file in the data folder, where the tasks are too. The file is made once.
 * @throws ConfigError where there are no keys, and where there is a file that cannot be used: one made anew would open nothing
 */
export async function openPushKeys({ pushKeys, dataDir, store }: PushKeyConfig, card: AgentCardJson): Promise<PushKeyRing | undefined> {
  if (!card.capabilities.pushNotifications) return undefined
  if (pushKeys !== undefined) return createPushKeyRing(pushKeys)
  if (dataDir === undefined || store.kind !== 'sqlite') {
    const missing =
      'MOORAGE_PUSH_KEYS is not set: the card declares push notifications, whose secrets are kept in Postgres with these keys; set it to one or more id:key pairs, such as 2026-01:$(openssl rand -base64 32), the same in every process'
    throw new ConfigError([missing])
  }
  return createPushKeyRing(await readOrMake(join(dataDir, FILE)))
}

async function readOrMake(path: string): Promise<readonly NamedKey[]> {
  const text = (await readIfThere(path)) ?? (await make(path))
  const parsed = namedKeys.safeParse(text.trim())
  if (parsed.success) return parsed.data
  throw unusable(path, 'is no file of keys')
}

/** Whole or not at all, for this user only; where another process has made one meanwhile, that one holds. */
async function make(path: string): Promise<string> {
  const temporary = `${path}.${randomBytes(8).toString('hex')}.tmp`
  const text = `local-${randomBytes(4).toString('hex')}:${randomBytes(32).toString('base64')}\n`
  try {
    await writeFile(temporary, text, { flag: 'wx', mode: 0o600, flush: true })
    await link(temporary, path)
    return text
  } catch (error) {
    const made = await readIfThere(path)
    if (made !== undefined) return made
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError([`${path} cannot be made: ${reason}. Make the folder writable, or set MOORAGE_PUSH_KEYS`], { cause: error })
  } finally {
    await unlink(temporary).catch(() => undefined)
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw unusable(path, unreadable(error), error)
  }
}

function unusable(path: string, why: string, cause?: unknown): ConfigError {
  const fault = `${path}, the keys of the push notification configs, ${why}. Restore it; or remove it, and have every config with a token or credentials registered again`
  return new ConfigError([fault], { cause })
}
