import { builtInAgent } from '@moorage/bootstrap'
import { expect, it } from 'vitest'
import { announcement } from './announcement.js'

const base = {
  temporal: '127.0.0.1:7233',
  temporalFault: undefined,
  store: '/data/moorage.db',
  healthUrl: undefined,
  notes: [],
}

it('says whose turns run here, and with what', () => {
  expect(announcement({ ...base, agents: [builtInAgent] })).toBe(
    '\nTurns and commands of agent "moorage" run here.\n\n  Temporal    127.0.0.1:7233\n  Store       /data/moorage.db\n\n',
  )
})

it('says that Temporal is away, and where the health port is', () => {
  const agents = [builtInAgent, { ...builtInAgent, id: 'other' }]
  const text = announcement({ ...base, agents, temporalFault: 'Temporal cannot be reached: start it', healthUrl: 'http://127.0.0.1:9000' })
  expect(text).toContain('of agents "moorage", "other" run here.\n\nTemporal cannot be reached: start it. Until then, tasks wait.\n')
  expect(text).toContain('  Health      http://127.0.0.1:9000/readyz\n')
})

it('says what else has to be done', () => {
  const text = announcement({ ...base, agents: [builtInAgent], notes: ['Make this version the current one.', ''] })
  expect(text).toContain('run here.\n\nMake this version the current one.\n\n  Temporal')
})
