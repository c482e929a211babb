import { defineAgent } from '@moorage/agent'
import { buildAgentCard } from '@moorage/card'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createHarness } from './harness.js'
import type { HarnessOptions } from './harness-options.js'
import { startTestServer } from './testing/test-server.js'

const text = defineAgent({ id: 'tester', turn: (turn) => turn.complete() })
const structured = defineAgent({ id: 'tester', input: z.object({ order: z.number() }), turn: (turn) => turn.complete() })

async function optionsWith(card: { readonly [field: string]: unknown }): Promise<HarnessOptions> {
  const { store } = await startTestServer()
  return {
    card: buildAgentCard(card, { agentId: 'tester', baseUrl: 'http://agent.test' }),
    store,
    waker: { wake: () => {} },
    logger: { error: () => {} },
  }
}

test.each(['card', 'store', 'waker', 'logger'] as const)('names the option that is missing: %s', async (name) => {
  const { [name]: _, ...others } = await optionsWith({})
  expect(() => createHarness(text, others as HarnessOptions)).toThrow(new TypeError(`createHarness: ${name} must be given`))
})

test('refuses an agent with an input schema whose card takes no JSON', async () => {
  const options = await optionsWith({ defaultInputModes: ['text/plain'] })
  expect(() => createHarness(structured, options)).toThrow(/^createHarness: card\.defaultInputModes must list application\/json/)
  const taken = await optionsWith({ defaultInputModes: ['text/plain', 'application/json'] })
  expect(() => createHarness(structured, taken)).not.toThrow()
})

test.each([
  ['unknownExtension', { unknownExtension: 'ignore' }, 'unknownExtension is no option; there are card, signedCard, store, '],
  [
    'limits.ratePerMin',
    { limits: { ratePerMin: 1 } },
    'limits.ratePerMin is no option; there are limits.maxRequestBytes, limits.ratePerMinute, ',
  ],
  ['toString', { toString: 1 }, 'toString is no option; there are '],
])('names an option that there is not: %s', async (_, changes, fault) => {
  const options = { ...(await optionsWith({})), ...changes }
  expect(() => createHarness(text, options as HarnessOptions)).toThrow(new RegExp(`^createHarness: ${fault.replaceAll('.', '\\.')}`))
})

test.each<[object, string]>([
  [{ monitor: 'no' }, 'monitor must be true or false'],
  [{ openApi: 'no' }, 'openApi must be true or false'],
  [{ mediaType: 'text/plain' }, "mediaType must be 'application/a2a+json' or 'application/json'"],
  [{ pushKeys: [{ id: 'one', key: new Uint8Array(32) }] }, 'pushKeys must be what createPushKeyRing of @moorage/push made'],
  [{ pushKeys: 'one:AAAA' }, 'pushKeys must be what createPushKeyRing of @moorage/push made'],
  [{ idempotency: false }, "idempotency must be 'on' or 'off'"],
  [{ unknownExtensions: 'accept' }, "unknownExtensions must be 'refuse' or 'ignore'"],
  [{ blockingTimeoutMs: '10' }, 'blockingTimeoutMs must be an integer from 0 to 2147483647'],
  [{ maxWaiting: 0 }, 'maxWaiting must be an integer from 1 to 2147483647'],
  [{ keepAliveMs: 2 ** 31 }, 'keepAliveMs must be an integer from 1 to 2147483647'],
  [{ drainDelayMs: -1 }, 'drainDelayMs must be an integer from 0 to 2147483647'],
  [{ basePath: 1 }, 'basePath must be a string'],
  [{ degraded: ['temporal'] }, 'degraded must be a function'],
  [{ worker: true }, 'worker must be an object'],
  [{ limits: 120 }, 'limits must be an object'],
  [{ limits: { maxRequestBytes: 0 } }, 'limits.maxRequestBytes must be an integer from 1 to 9007199254740991'],
  [{ limits: { ratePerMinute: '120' } }, 'limits.ratePerMinute must be an integer from 0 to 9007199254740991'],
  [{ limits: { streamsPerPeer: 0 } }, 'limits.streamsPerPeer must be an integer from 1 to 9007199254740991'],
  [{ limits: { streams: 1.5 } }, 'limits.streams must be an integer from 1 to 9007199254740991'],
  [{ limits: { peer: 'me' } }, 'limits.peer must be a function'],
])('says in its own name what an option must be: %j', async (changes, fault) => {
  const options = { ...(await optionsWith({})), ...changes }
  expect(() => createHarness(text, options)).toThrow(new TypeError(`createHarness: ${fault}`))
})

test('takes an option that is undefined for one that is not given', async () => {
  const optional = ['signedCard', 'worker', 'limits', 'blockingTimeoutMs', 'pushKeys', 'mediaType', 'openApi', 'monitor', 'degraded']
  const options = { ...(await optionsWith({})), ...Object.fromEntries(optional.map((name) => [name, undefined])) }
  expect(() => createHarness(text, options)).not.toThrow()
})

test('says in its own name that a card with push notifications needs keys', async () => {
  const { card, ...others } = await optionsWith({})
  const options = { ...others, card: { ...card, capabilities: { ...card.capabilities, pushNotifications: true } } }
  const fault = 'createHarness: pushKeys must be given: the card declares push notifications'
  expect(() => createHarness(text, options)).toThrow(new TypeError(fault))
})
