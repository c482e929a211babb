import { expect, test } from 'vitest'
import { findGaps } from './gate.js'
import { HOST, JSON_RPC, requirement } from './manifest/requirement.js'

const shown = (id: string) => [
  { id, surface: 'JSONRPC' as const },
  { id, surface: 'HTTP+JSON' as const },
]

test('a must, a should and a promise of our own need a scenario on each surface that they concern', () => {
  const manifest = [
    requirement('A-01', 'M', '1', 'a'),
    requirement('A-02', 'S', '1', 'b'),
    requirement('A-03', '-', '1', 'c', { on: HOST }),
  ]
  expect(findGaps(manifest, [], [{ id: 'A-01', surface: 'JSONRPC' }])).toEqual([
    'A-01: no scenario shows it on HTTP+JSON: a',
    'A-02: no scenario shows it on JSONRPC: b',
    'A-02: no scenario shows it on HTTP+JSON: b',
    'A-03: no scenario shows it on host: c',
  ])
  expect(findGaps(manifest, [], [...shown('A-01'), ...shown('A-02'), { id: 'A-03', surface: 'host' }])).toEqual([])
})

test('a should may be left unshown for a reason, a must only until something is built', () => {
  const pending = { until: 'authentication', reason: 'there is none' } as const
  expect(findGaps([requirement('A-01', 'S', '1', 'a', { notShown: 'because' })], [], [])).toEqual([])
  expect(findGaps([requirement('A-01', 'M', '1', 'a', { pending })], [], [])).toEqual([])
  expect(findGaps([requirement('A-01', 'M', '1', 'a', { notShown: 'because' })], [], [])).toEqual([
    'A-01: is a must, and may not be left unshown',
  ])
})

test('what is shown is no longer pending', () => {
  const manifest = [requirement('A-01', 'M', '1', 'a', { on: JSON_RPC, pending: { until: 'push delivery', reason: 'none' } })]
  expect(findGaps(manifest, [], shown('A-01'))).toEqual(['A-01: is cited; take "pending" away'])
})

test('an id that a scenario cites and nobody knows is a fault', () => {
  expect(findGaps([], [], [{ id: 'A-99', surface: 'host' }])).toEqual([
    'A-99: a scenario cites it, and neither the manifest nor the list of the kit has it',
  ])
})

test('every id of the kit needs a scenario, or a reason; and the manifest names none that the list lacks', () => {
  const kit = [{ id: 'KIT-1' }, { id: 'KIT-2', wrong: 'it is' }, { id: 'KIT-3', pending: 'authentication' as const }]
  const manifest = [requirement('A-01', 'M', '1', 'a', { on: HOST, kit: ['KIT-1', 'KIT-9'] })]
  expect(findGaps(manifest, kit, [{ id: 'A-01', surface: 'host' }])).toEqual([
    'KIT-1: no scenario sends what the public kit sends for it',
    'KIT-2: no requirement names it',
    'KIT-3: no requirement names it',
    'A-01: names KIT-9, which the list of the kit lacks',
  ])
})

test('an id stands once', () => {
  const [kitId, citation] = [{ id: 'A-01' }, { id: 'A-01', surface: 'host' as const }]
  expect(findGaps([requirement('A-01', 'M', '1', 'a', { on: HOST })], [kitId], [citation])).toContain(
    'A-01: stands twice in the manifest or the list of the kit',
  )
})
