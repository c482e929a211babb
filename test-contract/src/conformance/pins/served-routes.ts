import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent } from '@moorage/agent'
import type { AgentCardJson } from '@moorage/protocol'
import { createHarness } from '@moorage/server'
import { openSqliteStore } from '@moorage/store/sqlite'

const OUTSIDE = [
  '/.well-known/agent-card.json',
  '/.well-known/jwks.json',
  '/healthz',
  '/readyz',
  '/_monitor',
  '/openapi.json',
  '/a2a',
  '/a2a/',
]

const OF_HTTP_JSON = [
  '/message:send',
  '/message:stream',
  '/tasks',
  '/tasks/ID',
  '/tasks/ID:cancel',
  '/tasks/ID:subscribe',
  '/tasks/ID/pushNotificationConfigs',
  '/tasks/ID/pushNotificationConfigs/CONFIG',
  '/extendedAgentCard',
]

const OF_0_3 = [
  '/v1/message:send',
  '/v1/message:stream',
  '/v1/tasks/ID',
  '/v1/tasks/ID:cancel',
  '/v1/tasks/ID:subscribe',
  '/v1/tasks/ID/pushNotificationConfigs',
  '/v1/tasks/ID/pushNotificationConfigs/CONFIG',
  '/v1/card',
]

/** The verbs of each path, as a harness tells them to a request with another; `404` where there is no such route. */
export async function servedRoutes(agent: Agent, card: AgentCardJson): Promise<Readonly<Record<string, string>>> {
  const older = card.supportedInterfaces.map((entry) => ({ ...entry, protocolVersion: '0.3' }))
  const current = await verbsOf(agent, card, [...OUTSIDE, ...OF_HTTP_JSON.flatMap((path) => [`/a2a${path}`, `/a2a/TENANT${path}`])])
  const both = { ...card, supportedInterfaces: [...card.supportedInterfaces, ...older] }
  return {
    ...current,
    ...(await verbsOf(
      agent,
      both,
      OF_0_3.map((path) => `/a2a${path}`),
    )),
  }
}

async function verbsOf(agent: Agent, card: AgentCardJson, paths: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const folder = await mkdtemp(join(tmpdir(), 'moorage-routes-'))
  const store = await openSqliteStore({ path: join(folder, 'moorage.db') })
  try {
    const harness = createHarness(agent, {
      card,
      store,
      waker: { wake: () => {} },
      logger: { error: () => {} },
      limits: { ratePerMinute: 0 },
    })
    await harness.start()
    const ask = async (path: string) => {
      const { status, headers } = await harness.fetch(new Request(`https://agents.example${path}`, { method: 'PATCH' }))
      return [path, headers.get('Allow') ?? String(status)] as const
    }
    return Object.fromEntries(await Promise.all(paths.map(ask)))
  } finally {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  }
}
