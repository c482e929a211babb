import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { type BuildCardOptions, buildAgentCard, type CardInput } from './build-agent-card.js'
import { CardError } from './card-error.js'
import { cardRoutes } from './card-routes.js'
import type { AllowedClaims } from './card-schema.js'

const options: BuildCardOptions = { agentId: 'support', baseUrl: 'https://agents.example.com' }

const folder = mkdtempSync(join(tmpdir(), 'card-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

function write(name: string, lines: readonly string[]): string {
  writeFileSync(join(folder, name), lines.join('\n'))
  return join(folder, name)
}

function refusal(input: CardInput, more: Partial<BuildCardOptions> = {}): CardError {
  try {
    buildAgentCard(input, { ...options, ...more })
  } catch (error) {
    if (error instanceof CardError) return error
    throw error
  }
  return expect.fail('the card was accepted')
}

const SUPPORT_CARD = [
  'name: Support agent',
  'description: Answers product questions and triages support requests.',
  'version: 1.0.0',
  'supportedInterfaces:',
  '  - url: https://agents.example.com/support/a2a',
  '    protocolBinding: HTTP+JSON',
  '    protocolVersion: "1.0"',
  'capabilities:',
  '  streaming: true',
  '  pushNotifications: false',
  'defaultInputModes:',
  '  - text/plain',
  'defaultOutputModes:',
  '  - text/plain',
  '  - application/json',
  'skills:',
  '  - id: answer-product-question',
  '    name: Answer product questions',
  '    description: Finds and explains product information.',
  '    tags: [support, product]',
]

describe('buildAgentCard', () => {
  it('completes a card that declares nothing', () => {
    expect(buildAgentCard({}, options)).toStrictEqual({
      name: 'support',
      description: 'The agent support.',
      supportedInterfaces: [
        { url: 'https://agents.example.com/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { url: 'https://agents.example.com/a2a', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
      ],
      version: '0.0.0',
      capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false },
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain', 'application/json'],
      skills: [{ id: 'support', name: 'support', description: 'The agent support.', tags: ['agent'] }],
    })
  })

  it('takes the input modes of the agent, and its commands for skills, where the card declares none', () => {
    const more = { inputModes: ['application/json'], commands: { status: { description: 'What I am doing' } } }
    const card = buildAgentCard({ name: 'Support' }, { ...options, ...more })
    expect(card.defaultInputModes).toStrictEqual(['application/json'])
    expect(card.skills).toStrictEqual([
      { id: 'support', name: 'Support', description: 'The agent Support.', tags: ['agent'] },
      { id: 'command-status', name: '/status', description: 'What I am doing', tags: ['command'], examples: ['/status'] },
    ])
    const declared = buildAgentCard({ defaultInputModes: ['image/png'], skills: [] }, { ...options, ...more })
    expect([declared.defaultInputModes, declared.skills]).toStrictEqual([['image/png'], []])
  })

  it.each(['https://agents.example.com/team', 'https://agents.example.com/team/'])('keeps the path of the base URL %s', (baseUrl) => {
    const card = buildAgentCard({}, { ...options, baseUrl })
    expect(cardRoutes(card)).toStrictEqual([
      { path: '/team/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { path: '/team/a2a', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    ])
  })

  it('keeps what the card declares beyond the required', () => {
    const more = {
      provider: { organization: 'Example', url: 'https://example.com' },
      documentationUrl: 'https://example.com/docs',
      iconUrl: 'data:image/png;base64,AAAA',
    }
    expect(buildAgentCard({ ...more, description: undefined, securitySchemes: {} }, options)).toMatchObject(more)
  })

  it('keeps interfaces of A2A 0.3, and tenants', () => {
    const url = 'https://agents.example.com/a2a'
    const supportedInterfaces = [
      { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: 'acme' },
      { url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
      { url, protocolBinding: 'HTTP+JSON', protocolVersion: '0.3' },
    ]
    expect(buildAgentCard({ supportedInterfaces }, options).supportedInterfaces).toStrictEqual(supportedInterfaces)
  })

  it.each(['agents.example.com', 'ftp://example.com', 'https://example.com/?a=1', 'https://example.com/:id', ''])(
    'takes %j for no base URL',
    (baseUrl) => {
      expect(() => buildAgentCard({}, { ...options, baseUrl })).toThrow(/^buildAgentCard: baseUrl: /)
    },
  )
})

describe('an agent-card.yaml', () => {
  it('is read next to the module of the agent, and declares where it is mounted', () => {
    write('agent-card.yaml', SUPPORT_CARD)
    for (const modulePath of [join(folder, 'agent.ts'), pathToFileURL(join(folder, 'agent.ts')).href]) {
      const card = buildAgentCard('./agent-card.yaml', { ...options, modulePath })
      expect(card).toStrictEqual({
        name: 'Support agent',
        description: 'Answers product questions and triages support requests.',
        supportedInterfaces: [{ url: 'https://agents.example.com/support/a2a', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }],
        version: '1.0.0',
        capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false },
        defaultInputModes: ['text/plain'],
        defaultOutputModes: ['text/plain', 'application/json'],
        skills: [
          {
            id: 'answer-product-question',
            name: 'Answer product questions',
            description: 'Finds and explains product information.',
            tags: ['support', 'product'],
          },
        ],
      })
      expect(cardRoutes(card)).toStrictEqual([{ path: '/support/a2a', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }])
    }
  })
})

describe('a card that claims what is not served', () => {
  const served = { url: 'https://agents.example.com/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }

  it.each<[string, Record<string, unknown>, string, string]>([
    ['push notifications', { capabilities: { pushNotifications: true } }, 'capabilities.pushNotifications', 'claims push notifications'],
    ['an extended card', { capabilities: { extendedAgentCard: true } }, 'capabilities.extendedAgentCard', 'claims an extended agent card'],
    [
      'an extension',
      { capabilities: { extensions: [{ uri: 'urn:x' }] } },
      'capabilities.extensions[0].uri',
      'claims the extension "urn:x"',
    ],
    [
      'gRPC',
      { supportedInterfaces: [{ ...served, protocolBinding: 'GRPC' }] },
      'supportedInterfaces[0].protocolBinding',
      'claims the binding "GRPC"',
    ],
    [
      'A2A 0.2',
      { supportedInterfaces: [{ ...served, protocolVersion: '0.2' }] },
      'supportedInterfaces[0].protocolVersion',
      'version "0.2"',
    ],
    [
      'A2A 0.3 alone',
      { supportedInterfaces: [{ ...served, protocolVersion: '0.3' }] },
      'supportedInterfaces',
      'No interface is of A2A 1.0',
    ],
    [
      'a tenant of A2A 0.3',
      { supportedInterfaces: [served, { ...served, protocolVersion: '0.3', tenant: 'acme' }] },
      'supportedInterfaces[1].tenant',
      'A2A 0.3 has no tenants',
    ],
    ['A2A 0.3 by its fields', { preferredTransport: 'JSONRPC' }, 'preferredTransport', 'is of A2A 0.3'],
    ['a signature', { signatures: [{ protected: '', signature: '' }] }, 'signatures', 'claims signatures'],
    [
      'a path with a parameter',
      { supportedInterfaces: [{ ...served, url: 'https://example.com/:id' }] },
      'supportedInterfaces[0].url',
      'The path of the URL',
    ],
    ['no path at all', { supportedInterfaces: [{ ...served, url: '/a2a' }] }, 'supportedInterfaces[0].url', 'absolute http or https URL'],
    ['a reserved tenant', { supportedInterfaces: [{ ...served, tenant: 'tasks' }] }, 'supportedInterfaces[0].tenant', 'take another one'],
    [
      'a tenant that URLs step over',
      { supportedInterfaces: [{ ...served, tenant: '..' }] },
      'supportedInterfaces[0].tenant',
      'step over . and ..',
    ],
    [
      'a tenant longer than requests may name',
      { supportedInterfaces: [{ ...served, tenant: 'x'.repeat(257) }] },
      'supportedInterfaces[0].tenant',
      'at most 256 characters',
    ],
    ['no interface', { supportedInterfaces: [] }, 'supportedInterfaces', 'at least one interface'],
    [
      'no version',
      { supportedInterfaces: [{ url: served.url, protocolBinding: 'JSONRPC' }] },
      'supportedInterfaces[0].protocolVersion',
      'This field is missing; give "1.0"',
    ],
    ['a media type that is none', { defaultInputModes: ['text'] }, 'defaultInputModes[0]', 'media type'],
    [
      'one skill twice',
      { skills: ['A', 'B'].map((name) => ({ id: 'a', name, description: name, tags: [] })) },
      'skills[1].id',
      'The id "a" is another skill',
    ],
  ])('is refused by name: %s', (_, card, field, words) => {
    const { faults } = refusal(card)
    expect(faults).toHaveLength(1)
    expect(faults[0]?.field).toBe(field)
    expect(faults[0]?.message).toContain(words)
  })
})

describe('a claim that whoever builds the card allows', () => {
  const uri = 'https://example.com/extension/v1'
  const capabilities = { pushNotifications: true, extendedAgentCard: true, extensions: [{ uri, required: true, params: { a: [1] } }] }

  it('is kept as it was declared, and is not made by the permission', () => {
    const allow = { pushNotifications: true, extendedAgentCard: true, extensions: [uri] }
    expect(buildAgentCard({ capabilities }, { ...options, allow }).capabilities).toStrictEqual({ streaming: true, ...capabilities })
    const silent = { streaming: true, pushNotifications: false, extendedAgentCard: false }
    expect(buildAgentCard({}, { ...options, allow }).capabilities).toStrictEqual(silent)
  })

  it('leaves all others refused', () => {
    const fields = (allow: AllowedClaims) => refusal({ capabilities }, { allow }).faults.map(({ field }) => field)
    expect(fields({ pushNotifications: true })).toStrictEqual(['capabilities.extendedAgentCard', 'capabilities.extensions[0].uri'])
    expect(fields({ extendedAgentCard: true, extensions: ['urn:other'] })).toStrictEqual([
      'capabilities.pushNotifications',
      'capabilities.extensions[0].uri',
    ])
  })
})
