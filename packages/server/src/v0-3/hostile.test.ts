import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkAnswer } from '../hostile/check-answer.js'
import { spoiled } from '../hostile/hostile-json.js'
import { printTree } from '../hostile/json-tree.js'
import { playTurn, says } from '../testing/play.js'
import { PUSH_KEYS } from '../testing/push.js'
import type { TestServer } from '../testing/test-server.js'
import { bothVersions, rpc, startBoth } from './testing/v0-3-server.js'

const ROUNDS = 1500
const AT_ONCE = 10

const pick = <Value>(...values: readonly Value[]) => fc.constantFrom(...values)
const headers = { 'Content-Type': 'application/json' }
const url = 'https://example.com/hook'

/** Tasks that requests may meet: one that waits, one that has ended, one that asks. */
async function someTasks(server: TestServer): Promise<readonly string[]> {
  const ids: string[] = []
  for (const messageId of ['waiting', 'ended', 'asking']) {
    const message = { kind: 'message', messageId, role: 'user', parts: [{ kind: 'text', text: 'hi' }] }
    await rpc(server, 'message/send', { message, configuration: {} })
    ids.push((await server.woken(ids.length + 1)).taskId)
  }
  const [, ended = '', asking = ''] = ids
  await playTurn(server.store, ended, { kind: 'complete' })
  await playTurn(server.store, asking, { kind: 'ask', message: says('?') })
  return ids
}

/** Well-formed params by method, one of each that the SDK's handler decodes in its own way. */
function jsonRpcRequests(taskIds: readonly string[]) {
  const id = pick(...taskIds, 'nope')
  const pushNotificationConfig = { id: 'c', url, token: 't', authentication: { schemes: ['Bearer', 'Basic'], credentials: 'x' } }
  const message = fc.record({
    kind: pick('message'),
    messageId: fc.nat(100_000).map((number) => `m-${number}`),
    role: pick('user'),
    parts: pick(
      [{ kind: 'text', text: 'hi', metadata: {} }],
      [{ kind: 'file', file: { bytes: 'aGk=', mimeType: 'text/plain', name: 'a' } }],
      [{ kind: 'file', file: { uri: url, mimeType: 'text/plain' } }],
      [{ kind: 'data', data: { value: 1 }, metadata: { data_part_compat: true } }],
    ),
    extensions: pick(['urn:x']),
    referenceTaskIds: pick(['nope']),
  })
  const configuration = pick({ blocking: false, historyLength: 1, acceptedOutputModes: ['text/plain'], pushNotificationConfig }, {})
  const send = fc.record({ message, configuration, metadata: pick({}) })
  const ofTask = fc.record({ id, historyLength: pick(1), metadata: pick({}), pushNotificationConfigId: pick('c') })
  const params: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    'message/send': send,
    'message/stream': send,
    'tasks/get': ofTask,
    'tasks/cancel': ofTask,
    'tasks/resubscribe': ofTask,
    'tasks/pushNotificationConfig/set': fc.record({ taskId: id, pushNotificationConfig: pick(pushNotificationConfig) }),
    'tasks/pushNotificationConfig/get': ofTask,
    'tasks/pushNotificationConfig/list': ofTask,
    'tasks/pushNotificationConfig/delete': ofTask,
    'agent/getAuthenticatedExtendedCard': pick({}),
  }
  return pick(...Object.keys(params)).chain((method) =>
    (params[method] ?? pick({}))
      .chain((given) => spoiled({ jsonrpc: '2.0', id: 1, method, params: given }))
      .map((tree) => ({ path: '/a2a', init: { method: 'POST', headers, body: printTree(tree) } })),
  )
}

function httpJsonRequests(taskIds: readonly string[]) {
  const message = fc.record({
    messageId: fc.nat(100_000).map((number) => `m-${number}`),
    role: pick<string | number>('ROLE_USER', 1),
    content: pick(
      [{ text: 'hi', metadata: {} }],
      [{ file: { fileWithBytes: 'aGk=', mimeType: 'text/plain', name: 'a' } }],
      [{ file: { fileWithUri: url, mimeType: 'text/plain' } }],
      [{ data: { data: { value: 1 } }, metadata: { data_part_compat: true } }],
    ),
    extensions: pick(['urn:x']),
  })
  const pushNotification = { id: 'c', url, token: 't', authentication: { schemes: ['Bearer'], credentials: 'x' } }
  const configuration = pick({ blocking: false, historyLength: 1, acceptedOutputModes: ['text/plain'], pushNotification }, {})
  const send = fc.record({ message, configuration, metadata: pick({}) })
  const posts = fc.oneof(
    send.map((given) => ({ path: 'message:send', given: given as unknown })),
    send.map((given) => ({ path: 'message:stream', given })),
    fc.record({ path: pick(...taskIds).map((id) => `tasks/${id}:cancel`), given: pick({ name: 'x' }) }),
    fc.record({ path: pick(...taskIds).map((id) => `tasks/${id}:subscribe`), given: pick({ name: 'x' }) }),
    fc.record({
      path: pick(...taskIds).map((id) => `tasks/${id}/pushNotificationConfigs`),
      given: pick<unknown>(
        { name: `tasks/${taskIds[0]}/pushNotificationConfigs/c`, pushNotificationConfig: pushNotification },
        { config: { pushNotificationConfig: pushNotification }, configId: 'd' },
      ),
    }),
  )
  return posts.chain(({ path, given }) =>
    spoiled(given).map((tree) => ({ path: `/a2a/v1/${path}`, init: { method: 'POST', headers, body: printTree(tree) } })),
  )
}

describe.each([
  { name: 'JSON-RPC', requests: jsonRpcRequests },
  { name: 'HTTP+JSON', requests: httpJsonRequests },
])('hostile requests of A2A 0.3 over $name', ({ requests }) => {
  test('get no 5xx, no hang and nothing of the inside', async () => {
    const card = bothVersions({ capabilities: { streaming: true, pushNotifications: true } })
    const server = await startBoth({ card, pushKeys: PUSH_KEYS, blockingTimeoutMs: 2, keepAliveMs: 5 })
    const seed = Math.floor(Math.random() * 2 ** 24)
    const sample = fc.sample(requests(await someTasks(server)), { numRuns: ROUNDS, seed })
    const statuses = new Map<number, number>()
    for (let next = 0; next < ROUNDS; next += AT_ONCE) {
      const answers = sample.slice(next, next + AT_ONCE).map((request) => checkAnswer(server, request))
      for (const status of await Promise.all(answers)) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    expect(server.logged, `seed ${seed}`).toEqual([])
    // Not all of them may be refused at the door.
    expect(statuses.get(200), JSON.stringify([...statuses])).toBeGreaterThan(150)
  }, 120_000)
})
