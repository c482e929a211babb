import { canonicalizeAgentCard } from '@a2a-js/sdk'
import type { AgentCardJson } from '@moorage/protocol'
import { describe, expect, it } from 'vitest'
import { canonicalCard, withoutDefaults } from './canonical-card.js'
import { richCard } from './testing/rich-card.js'

describe('canonicalCard', () => {
  it('gives the example of A2A §8.4.1 as it stands there', () => {
    const example = {
      name: 'Example Agent',
      description: '',
      capabilities: { streaming: false, pushNotifications: false, extensions: [] },
      skills: [],
    } as unknown as AgentCardJson
    const expected = '{"capabilities":{"pushNotifications":false,"streaming":false},"description":"","name":"Example Agent","skills":[]}'
    expect(canonicalCard(example)).toBe(expected)
  })

  it('leaves the signatures out', () => {
    const signed = { ...richCard, signatures: [{ protected: 'a', signature: 'b' }] }
    expect(canonicalCard(signed)).toBe(canonicalCard(richCard))
    expect(canonicalCard(signed)).not.toContain('signatures')
  })

  it('orders and writes what extensions carry as RFC 8785 says', () => {
    const params = { '\u20ac': 'Euro', '\r': 'CR', '\ufb33': 'Dalet', '1': 1e30, '\u{1f600}': 4.5, '\u0080': 0.002, '\u00f6': 1e-27 }
    const card = { ...richCard, capabilities: { ...richCard.capabilities, extensions: [{ uri: 'urn:x', params }] } }
    const expected =
      '{"params":{"\\r":"CR","1":1e+30,"\u0080":0.002,"\u00f6":1e-27,"\u20ac":"Euro","\u{1f600}":4.5,"\ufb33":"Dalet"},"uri":"urn:x"}'
    expect(canonicalCard(card)).toContain(`"extensions":[${expected}]`)
  })

  it('agrees with the SDK where nothing required is empty', () => {
    expect(canonicalCard(richCard)).toBe(canonicalizeAgentCard(richCard as never))
  })
})

describe('withoutDefaults', () => {
  it('drops what ProtoJSON may leave out, at any depth, and nothing that is required or optional', () => {
    const defaults: AgentCardJson = {
      ...richCard,
      documentationUrl: '',
      supportedInterfaces: [{ url: '', protocolBinding: '', protocolVersion: '', tenant: '' }],
      capabilities: {
        streaming: false,
        pushNotifications: false,
        extensions: [{ uri: 'urn:x', description: '', required: false, params: {} }],
      },
      defaultInputModes: [],
      skills: [{ id: '', name: '', description: '', tags: [], examples: [], outputModes: [], securityRequirements: [{ schemes: {} }] }],
      provider: { url: '', organization: '' },
      securitySchemes: {
        key: { apiKeySecurityScheme: { location: '', name: '', description: '' } },
        code: { oauth2SecurityScheme: { flows: { authorizationCode: { tokenUrl: '', scopes: {}, refreshUrl: '', pkceRequired: false } } } },
        none: { mtlsSecurityScheme: { description: '' } },
      },
      securityRequirements: [],
    }
    expect(withoutDefaults(defaults)).toMatchObject({
      documentationUrl: '',
      provider: { url: '', organization: '' },
      defaultInputModes: [],
    })
    const { supportedInterfaces, capabilities, skills, securitySchemes } = withoutDefaults(defaults)
    expect({ supportedInterfaces, capabilities, skills, securitySchemes }).toStrictEqual({
      supportedInterfaces: [{ url: '', protocolBinding: '', protocolVersion: '' }],
      capabilities: { streaming: false, pushNotifications: false, extensions: [{ uri: 'urn:x', params: {} }] },
      skills: [{ id: '', name: '', description: '', tags: [], securityRequirements: [{}] }],
      securitySchemes: {
        key: { apiKeySecurityScheme: { location: '', name: '' } },
        code: { oauth2SecurityScheme: { flows: { authorizationCode: { tokenUrl: '', scopes: {} } } } },
        none: { mtlsSecurityScheme: {} },
      },
    })
    expect(withoutDefaults(defaults)).not.toHaveProperty('securityRequirements')
  })

  it('leaves a card alone that has no defaults', () => {
    expect(withoutDefaults(richCard)).toStrictEqual(richCard)
  })
})
