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
