import { AgentCard } from '@a2a-js/sdk'
import { isLegacyAgentCard, parseLegacyAgentCard } from '@a2a-js/sdk/compat/v0_3/client'
import { LegacyRestTransportHandler } from '@a2a-js/sdk/compat/v0_3/server'
import { describe, expect, it } from 'vitest'
import { buildAgentCard } from './build-agent-card.js'
import { cardForms } from './card-forms.js'
import { readBack } from './legacy-card.js'
import { richCard } from './testing/rich-card.js'

/** What the SDK's server makes of a card for clients of 0.3. */
function legacyBySdk(): Promise<unknown> {
  const handler = { getAuthenticatedExtendedAgentCard: () => Promise.resolve(AgentCard.fromJSON(richCard)) }
  type Arguments = ConstructorParameters<typeof LegacyRestTransportHandler>
  const transport = new LegacyRestTransportHandler(...([handler] as unknown as Arguments))
  return transport.getAuthenticatedExtendedAgentCard({} as never)
}

function olderForms() {
  return cardForms(richCard).older ?? expect.fail('there is no 0.3 card')
}

describe('cardForms', () => {
  it('has one form, strictly of 1.0, where no interface is of 0.3', () => {
    const card = buildAgentCard({}, { agentId: 'a', baseUrl: 'https://example.com' })
    expect(cardForms({ ...card, signatures: [{ protected: 'a', signature: 'b' }] })).toStrictEqual({ current: card })
  })

  it('keeps the strict form free of the fields of 0.3', () => {
    expect(cardForms(richCard).current).toStrictEqual(richCard)
  })

  it('makes the same 0.3 card as the SDK does, but names the version in full', async () => {
    expect(olderForms().legacy).toStrictEqual({ ...((await legacyBySdk()) as object), protocolVersion: '0.3.0' })
  })

  it('makes a 0.3 card that the SDK takes for one, and reads as it was meant', () => {
    const { legacy } = olderForms()
    expect(isLegacyAgentCard(legacy)).toBe(true)
    expect(AgentCard.toJSON(parseLegacyAgentCard(legacy))).toStrictEqual(AgentCard.toJSON(AgentCard.fromJSON(readBack(richCard))))
  })

  it('leaves out of the 0.3 card what 0.3 does not know', () => {
    const flow = { tokenUrl: 'https://login.example.com/token', scopes: {} }
    const flows = {
      deviceCode: { ...flow, deviceAuthorizationUrl: 'https://login.example.com' },
      clientCredentials: { ...flow, pkceRequired: true },
    }
    const { older } = cardForms({ ...richCard, securitySchemes: { login: { oauth2SecurityScheme: { flows } } } })
    expect(older?.legacy.securitySchemes).toStrictEqual({ login: { type: 'oauth2', flows: { clientCredentials: flow } } })
  })

  it('keeps security requirements without scopes', () => {
    const { older } = cardForms({ ...richCard, securityRequirements: [{ schemes: { bearer: {}, mtls: {} } }, { schemes: {} }] })
    expect(older?.legacy.security).toStrictEqual([{ bearer: [], mtls: [] }, {}])
  })

  it('has in the union all that either form has', () => {
    const { legacy, union } = olderForms()
    expect(union).toMatchObject(richCard)
    const { skills: _, ...rest } = legacy
    expect(union).toMatchObject(rest)
    expect(union.skills[0]).toStrictEqual({ ...legacy.skills[0], ...richCard.skills[0] })
  })

  it('has in the union what a client of 1.0 reads as the strict form', () => {
    expect(isLegacyAgentCard(olderForms().union)).toBe(false)
    expect(AgentCard.fromJSON(olderForms().union)).toStrictEqual(AgentCard.fromJSON(richCard))
  })
})
