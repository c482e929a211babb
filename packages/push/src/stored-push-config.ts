import type { TaskPushNotificationConfigJson } from '@moorage/protocol'
import type { PushKeyRing } from './key-ring.js'

/** A config as a store keeps it: what is secret is sealed. */
export interface StoredPushConfig {
  readonly id: string
  readonly url: string
  /** The HTTP authentication scheme; its credentials are among the secrets. */
  readonly scheme?: string
  /** Token and credentials, sealed; absent where the config has neither. */
  readonly sealed?: string
  /** Major.Minor of the protocol in which it was registered: notifications come in that form. */
  readonly wireVersion: string
}

/** What is needed of a store: `TaskStore` of `@moorage/store` has it by shape. */
export interface PushConfigStore {
  /** Undefined where there is no such task. */
  pushConfig(taskId: string, id: string): Promise<{ readonly config: StoredPushConfig | undefined } | undefined>
}

interface Secrets {
  readonly token?: string
  readonly credentials?: string
}

/** Makes what is stored of a checked config of a task. One without an id gets one. */
export async function sealPushConfig(
  ring: PushKeyRing,
  taskId: string,
  config: TaskPushNotificationConfigJson,
  wireVersion: string,
): Promise<StoredPushConfig> {
  const { url, id = crypto.randomUUID(), token, authentication } = config
  const secrets: Secrets = {
    ...(token !== undefined && { token }),
    ...(authentication?.credentials !== undefined && { credentials: authentication.credentials }),
  }
  const isSecret = Object.keys(secrets).length > 0
  return {
    id,
    url,
    ...(authentication && { scheme: authentication.scheme }),
    ...(isSecret && { sealed: await ring.seal(JSON.stringify(secrets), { taskId, id, url }) }),
    wireVersion,
  }
}

/** A stored config as its owner may see it: without token and credentials, which are never shown again. */
export function showPushConfig(taskId: string, { id, url, scheme }: StoredPushConfig, tenant = ''): TaskPushNotificationConfigJson {
  return { ...(tenant !== '' && { tenant }), id, taskId, url, ...(scheme !== undefined && { authentication: { scheme } }) }
}

/**
 * The config with its secrets, for whoever sends to its URL. Undefined where there is no such config.
 * @throws PushError where the secrets cannot be had
 */
export async function openPushConfig(
  store: PushConfigStore,
  ring: PushKeyRing,
  taskId: string,
  id: string,
): Promise<(TaskPushNotificationConfigJson & Pick<StoredPushConfig, 'wireVersion'>) | undefined> {
  const config = (await store.pushConfig(taskId, id))?.config
  if (config === undefined) return undefined
  const { url, scheme, sealed, wireVersion } = config
  const { token, credentials }: Secrets = sealed === undefined ? {} : JSON.parse(await ring.open(sealed, { taskId, id, url }))
  return {
    id,
    taskId,
    url,
    wireVersion,
    ...(token !== undefined && { token }),
    ...(scheme !== undefined && { authentication: { scheme, ...(credentials !== undefined && { credentials }) } }),
  }
}
