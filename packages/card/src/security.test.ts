import { describe, expect, it } from 'vitest'
import { buildAgentCard } from './build-agent-card.js'
import { CardError } from './card-error.js'
import { checkCard } from './check-card.js'
import { parseYaml } from './parse-yaml.js'
import { securityFaults } from './security-faults.js'
import { richCard } from './testing/rich-card.js'

const options = { agentId: 'support', baseUrl: 'https://agents.example.com' }
const key = { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } }
const bearer = { httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: 'JWT' } }

function faultsOf(card: Record<string, unknown>, schemes = {}): readonly string[] {
  try {
    buildAgentCard(card, { ...options, schemes })
  } catch (error) {
    if (error instanceof CardError) return error.faults.map(({ field, message }) => `${field}: ${message}`)
    throw error
  }
  return []
}

const { securitySchemes = {}, securityRequirements = [] } = richCard

describe('a card that declares no security', () => {
  it('says none where everybody may call', () => {
    expect(buildAgentCard({ securitySchemes: {}, securityRequirements: [] }, options)).not.toHaveProperty('securitySchemes')
  })

  it('says the schemes that are enforced, each enough by itself', () => {
    const card = buildAgentCard({}, { ...options, schemes: { key, bearer } })
    expect(card.securitySchemes).toStrictEqual({ key, bearer })
    expect(card.securityRequirements).toStrictEqual([{ schemes: { key: {} } }, { schemes: { bearer: {} } }])
  })

  it('may ask for scopes, and for several of the enforced at once', () => {
    const asked = [{ schemes: { key: {}, bearer: { list: ['read'] } } }]
    const card = buildAgentCard({ securityRequirements: asked }, { ...options, schemes: { key, bearer } })
    expect([card.securitySchemes, card.securityRequirements]).toStrictEqual([{ key, bearer }, asked])
  })
})

describe('a card that declares its security', () => {
  it('may have schemes of all five kinds', () => {
    const card = buildAgentCard({ securitySchemes, securityRequirements }, { ...options, schemes: securitySchemes })
    expect([card.securitySchemes, card.securityRequirements]).toStrictEqual([securitySchemes, securityRequirements])
  })

  it.each(['clientCredentials', 'deviceCode', 'implicit', 'password', 'authorizationCode'])('may have the OAuth flow %s', (flow) => {
    const urls = {
      clientCredentials: ['tokenUrl'],
      deviceCode: ['deviceAuthorizationUrl', 'tokenUrl'],
      implicit: ['authorizationUrl'],
      password: ['tokenUrl'],
      authorizationCode: ['authorizationUrl', 'tokenUrl'],
    }[flow]
    const fields = Object.fromEntries((urls ?? []).map((url) => [url, 'https://login.example.com']))
    const login = { oauth2SecurityScheme: { flows: { [flow]: { ...fields, scopes: { read: 'Read' } } } } }
    expect(buildAgentCard({ securitySchemes: { login } }, { ...options, schemes: { login: bearer } }).securitySchemes).toStrictEqual({
      login,
    })
    const missing = { oauth2SecurityScheme: { flows: { [flow]: { scopes: {} } } } }
    expect(faultsOf({ securitySchemes: { login: missing } }, { login: bearer })[0]).toContain(
      `securitySchemes.login.oauth2SecurityScheme.flows.${flow}.${urls?.[0]}: This field is missing`,
    )
  })

  it('without requirements, asks for one of its schemes', () => {
    const { securityRequirements: asked } = buildAgentCard({ securitySchemes: { key } }, { ...options, schemes: { key } })
    expect(asked).toStrictEqual([{ schemes: { key: {} } }])
  })

  it.each<[string, Record<string, unknown>, Record<string, typeof key | typeof bearer>, string]>([
    [
      'claims what nobody enforces',
      { securitySchemes: { key } },
      {},
      'securitySchemes.key: The card claims a security scheme that nothing',
    ],
    [
      'hides what is enforced',
      { securitySchemes: { key } },
      { key, bearer },
      'securitySchemes: The card hides the security scheme "bearer"',
    ],
    [
      'means something else',
      { securitySchemes: { key: { apiKeySecurityScheme: { location: 'query', name: 'key' } } } },
      { key },
      'securitySchemes.key: The card says {"apiKeySecurityScheme":{"location":"query","name":"key"}}, but what is enforced is {"apiKeySecurityScheme":{"location":"header","name":"X-API-Key"}}',
    ],
    ['means another kind', { securitySchemes: { key: bearer } }, { key }, 'securitySchemes.key: The card says {"httpAuthSecurityScheme"'],
    [
      'asks for a scheme that is not there',
      { securityRequirements: [{ schemes: { oidc: {} } }] },
      { key },
      'securityRequirements[0].schemes.oidc: No such scheme is in securitySchemes',
    ],
    ['asks for nothing', { securityRequirements: [{ schemes: {} }] }, { key }, 'securityRequirements[0]: The requirement asks for nothing'],
  ])('is refused where it %s', (_, card, schemes, fault) => {
    expect(faultsOf(card, schemes)).toStrictEqual([expect.stringContaining(fault)])
  })

  it('may describe an enforced scheme in its own words, and name the way to its token', () => {
    const described = { apiKeySecurityScheme: { ...key.apiKeySecurityScheme, description: 'Ask us for one' } }
    const login = { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://login.example.com/.well-known/openid-configuration' } }
    expect(faultsOf({ securitySchemes: { key: described, login } }, { key, login: bearer })).toStrictEqual([])
  })

  it.each<[Record<string, unknown>, string]>([
    [{ securitySchemes: [] }, 'securitySchemes: This is a list, not an object; give an object: a security scheme by each name.'],
    [{ securitySchemes: { 'my key': key } }, 'securitySchemes.my key: This is no name for a scheme'],
    [
      { securitySchemes: { key: {} } },
      'securitySchemes.key: A security scheme is of one kind, and this one is of none; give exactly one of apiKey',
    ],
    [{ securitySchemes: { key: { ...key, ...bearer } } }, 'securitySchemes.key: A security scheme is of one kind, and this one is of 2'],
    [
      { securitySchemes: { key: { type: 'apiKey' } } },
      'securitySchemes.key.type: There is no such field; leave it out, or take one of apiKeySec',
    ],
    [
      { securitySchemes: { key: { apiKeyScheme: {} } } },
      'securitySchemes.key.apiKeyScheme: There is no such field; leave it out, or take one of',
    ],
    [
      { securitySchemes: { key: { apiKeySecurityScheme: { location: 'body', name: 'key' } } } },
      'securitySchemes.key.apiKeySecurityScheme.location: This is a text, not a place that a key can be in; give header, query or cookie.',
    ],
    [
      { securitySchemes: { key: { apiKeySecurityScheme: { location: 'query', name: 'key', nmae: 1 } } } },
      'securitySchemes.key.apiKeySecurityScheme.nmae: There is no such field; write name.',
    ],
    [
      { securitySchemes: { login: { openIdConnectSecurityScheme: { openIdConnectUrl: 'login' } } } },
      'securitySchemes.login.openIdConnectSecurityScheme.openIdConnectUrl: This is no absolute http or https URL',
    ],
    [{ securityRequirements: [{ bearer: [] }] }, 'securityRequirements[0].schemes: This field is missing'],
    [
      { securityRequirements: [{ schemes: { key: [] } }] },
      'securityRequirements[0].schemes.key: This is a list, not an object; give an object: list',
    ],
    [
      { skills: [{ id: 'a', name: 'a', description: 'a', securityRequirements: [{ schemes: { key: {} } }] }] },
      'skills[0].securityRequirements: The card claims security requirements',
    ],
  ])('is refused by name: %j', (card, fault) => {
    expect(faultsOf(card, { key })[0]).toContain(fault)
  })

  it('has its faults at their places in the file, with all others', () => {
    const lines = ['version: 1', 'securitySchemes:', '  key:', '    apiKeySecurityScheme: { location: header, name: key }']
    const check = () => checkCard({ ...parseYaml(lines.join('\n'), 'card.yaml'), file: 'card.yaml' })
    expect(check).toThrow(/card\.yaml:1:1 version: .*\n {2}- card\.yaml:3:3 securitySchemes\.key: The card claims/)
  })
})

describe('securityFaults', () => {
  it('is silent where a built card and what is enforced are the same', () => {
    expect(securityFaults(buildAgentCard({}, { ...options, schemes: { key, bearer } }), { key, bearer })).toStrictEqual([])
  })

  it('finds what buildAgentCard would have refused in a card that came otherwise', () => {
    const card = { ...richCard, securitySchemes: { bearer } }
    expect(securityFaults(card, { key }).map(({ field }) => field)).toStrictEqual([
      'securitySchemes.bearer',
      'securitySchemes',
      'securityRequirements[0].schemes.login',
    ])
  })
})
