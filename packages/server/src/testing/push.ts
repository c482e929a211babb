import { createPushKeyRing } from '@moorage/push'
import { testCard } from './test-agent.js'
import type { TestServerOptions } from './test-server.js'

export const PUSH_KEYS = createPushKeyRing([{ id: 'test', key: new Uint8Array(32).fill(1) }])

/** A server whose card declares push notifications, and a tenant in both bindings. */
export const PUSHING: TestServerOptions = {
  card: testCard({
    capabilities: { streaming: true, pushNotifications: true },
    supportedInterfaces: (['JSONRPC', 'HTTP+JSON'] as const).flatMap((protocolBinding) => [
      { url: 'http://agent.test/a2a', protocolBinding, protocolVersion: '1.0' },
      { url: 'http://agent.test/a2a', protocolBinding, protocolVersion: '1.0', tenant: 'acme' },
    ]),
  }),
  pushKeys: PUSH_KEYS,
}
