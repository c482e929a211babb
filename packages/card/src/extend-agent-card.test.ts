import { describe, expect, it } from 'vitest'
import { buildAgentCard } from './build-agent-card.js'
import type { CardError } from './card-error.js'
import { extendAgentCard } from './extend-agent-card.js'

const schemes = { key: { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } } }
const card = buildAgentCard(
  { capabilities: { extendedAgentCard: true } },
  { agentId: 'support', baseUrl: 'https://agents.example.com', allow: { extendedAgentCard: true }, schemes },
)

describe('extendAgentCard', () => {
  it('has the fields that are given in the place of the public ones, and all others as they are', () => {
    const skills = [{ id: 'refund', name: 'Refund', description: 'Refunds an order.' }]
    expect(extendAgentCard(card, { description: 'For you.', skills, iconUrl: undefined })).toStrictEqual({
      ...card,
      description: 'For you.',
      skills: [{ ...skills[0], tags: [] }],
    })
    expect(extendAgentCard(card, {})).toStrictEqual(card)
  })

  it.each([
    [{ supportedInterfaces: card.supportedInterfaces }, ['supportedInterfaces']],
    [{ securitySchemes: {}, securityRequirements: [] }, ['securitySchemes', 'securityRequirements']],
    [{ capabilities: { streaming: false } }, ['capabilities']],
    [{ colour: 'red', version: 1 }, ['version', 'colour']],
    [{ signatures: [{ protected: '', signature: '' }] }, ['signatures']],
    [[] as never, ['']],
  ])('refuses by name what no caller gets otherwise, and what no card may have: %j', (fields, names) => {
    try {
      extendAgentCard(card, fields)
      expect.fail('the fields were accepted')
    } catch (error) {
      expect((error as CardError).faults.map(({ field }) => field)).toStrictEqual(names)
    }
  })
})
