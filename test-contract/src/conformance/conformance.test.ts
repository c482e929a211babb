import { afterAll, describe, expect, inject, test } from 'vitest'
import type { Citation } from './gate.js'
import { findGaps } from './gate.js'
import { KIT_IDS } from './kit/kit-ids.js'
import { MANIFEST } from './manifest/manifest.js'
import { BOTH, type Surface } from './manifest/requirement.js'
import { type Scenario, scenarios } from './scenario.js'
import './scenarios/all.js'
import { contextOf } from './scenario-context.js'
import { createServers } from './servers/servers.js'

const servers = createServers(inject('engine'))
afterAll(() => servers.stop())

const citations: Citation[] = []

/** Only what has come to its end shows anything. */
async function run(scenario: Scenario, surface: Surface): Promise<void> {
  await scenario.run(contextOf(await servers.start(scenario.profile), surface))
  citations.push(...scenario.ids.map((id) => ({ id, surface })))
}

describe.each<Surface>([...BOTH, 'host'])('%s', (surface) => {
  const here = scenarios().filter(({ on }) => on.includes(surface))
  test.each(here.map((scenario) => [`${scenario.name} [${scenario.ids.join(', ')}]`, scenario] as const))('%s', (_, scenario) =>
    run(scenario, surface),
  )
})

test('shows every requirement where it concerns, and sends what the public kit sends', () => {
  expect(findGaps(MANIFEST, KIT_IDS, citations)).toEqual([])
})
