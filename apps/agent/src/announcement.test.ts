import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { defineAgent } from '@moorage/agent'
import { builtInAgent } from '@moorage/bootstrap'
import { buildAgentCard } from '@moorage/card'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { announcement } from './announcement.js'

const url = 'http://127.0.0.1:8080'
const messageId = '5d1f3c1e-0000-4000-8000-000000000001'
const card = buildAgentCard(builtInAgent.card, { agentId: 'moorage', baseUrl: url })

describe('announcement', () => {
  it('names the card, both bindings and one command', () => {
    expect(announcement({ agent: builtInAgent, card, url, messageId })).toBe(
      `
Moorage is served (agent "moorage").

  Agent Card  http://127.0.0.1:8080/.well-known/agent-card.json
  JSON-RPC    http://127.0.0.1:8080/a2a
  HTTP+JSON   http://127.0.0.1:8080/a2a

Try it:

  curl -sS -w '\\n' http://127.0.0.1:8080/a2a/message:send -H 'A2A-Version: 1.0' -H 'Content-Type: application/json' -d '{"message":{"messageId":"${messageId}","role":"ROLE_USER","parts":[{"text":"hello"}]}}'

`,
    )
  })

  it('tells the interfaces of A2A 0.3 apart, and sends the command to one of 1.0', () => {
    const supportedInterfaces = [
      { url: `${url}/old`, protocolBinding: 'HTTP+JSON', protocolVersion: '0.3' },
      { url: `${url}/a2a`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    ]
    const both = buildAgentCard({ supportedInterfaces }, { agentId: 'moorage', baseUrl: url })
    const text = announcement({ agent: builtInAgent, card: both, url, messageId })
    expect(text).toContain(`  HTTP+JSON (A2A 0.3)  ${url}/old\n  HTTP+JSON            ${url}/a2a\n`)
    expect(text).toContain(` ${url}/a2a/message:send `)
  })

  it('tells tenants apart', () => {
    const tenants = [undefined, 'acme'].map((tenant) => ({ url: `${url}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant }))
    const shared = buildAgentCard({ supportedInterfaces: tenants }, { agentId: 'moorage', baseUrl: url })
    const text = announcement({ agent: builtInAgent, card: shared, url, messageId })
    expect(text).toContain(`  JSON-RPC                ${url}/a2a\n  JSON-RPC (tenant acme)  ${url}/a2a\n`)
  })

  it('sends the command to this machine where the card says a public URL', () => {
    const publicCard = buildAgentCard(builtInAgent.card, { agentId: 'moorage', baseUrl: 'https://agent.example/bots' })
    const text = announcement({ agent: builtInAgent, card: publicCard, url, messageId })
    expect(text).toContain('JSON-RPC    https://agent.example/bots/a2a\n')
    expect(text).toContain("curl -sS -w '\\n' http://127.0.0.1:8080/bots/a2a/message:send ")
  })

  it('quotes the example for a shell', async () => {
    const skill = { id: 'cafe', name: 'Café', description: 'Finds one.', tags: [], examples: ["what's near?"] }
    const odd = buildAgentCard({ skills: [skill] }, { agentId: 'odd', baseUrl: url })
    const text = announcement({ agent: builtInAgent, card: odd, url, messageId })
    const argument = text.slice(text.indexOf('-d ') + 3).trim()
    const { stdout } = await promisify(execFile)('sh', ['-c', `printf %s ${argument}`])
    expect(JSON.parse(stdout).message.parts).toEqual([{ text: "what's near?" }])
  })

  it.each([
    [
      { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } },
      'an API key in the header X-API-Key',
      ' -H "X-API-Key: $API_KEY" -d',
    ],
    [
      { apiKeySecurityScheme: { location: 'query', name: 'key' } },
      'an API key in the query parameter key',
      ' "http://127.0.0.1:8080/a2a/message:send?key=$API_KEY" ',
    ],
    [{ apiKeySecurityScheme: { location: 'cookie', name: 'key' } }, 'an API key in the cookie key', ' -b "key=$API_KEY" -d'],
    [{ httpAuthSecurityScheme: { scheme: 'bearer' } }, 'a bearer token of https://issuer.example', ' -H "Authorization: Bearer $TOKEN" -d'],
    [{ httpAuthSecurityScheme: { scheme: 'Basic' } }, 'a user name and a password', ' -u "$USER_AND_PASSWORD" -d'],
    [{ mtlsSecurityScheme: {} }, 'a client certificate', ' --cert "$CERTIFICATE" -d'],
  ])('says what callers need: %j', (scheme, words, argument) => {
    const secured = buildAgentCard({}, { agentId: 'moorage', baseUrl: url, schemes: { scheme } })
    const text = announcement({ agent: builtInAgent, card: secured, url, messageId, issuer: 'https://issuer.example' })
    expect(text).toContain(`\n\nCallers need ${words}.\n\nTry it:\n`)
    expect(text).toContain(argument)
  })

  it('says which credentials are enough, and which are needed together', () => {
    const schemes = {
      a: { httpAuthSecurityScheme: { scheme: 'Bearer' } },
      b: { apiKeySecurityScheme: { location: 'header', name: 'X-Key' } },
    }
    const either = buildAgentCard({}, { agentId: 'moorage', baseUrl: url, schemes })
    expect(announcement({ agent: builtInAgent, card: either, url, messageId })).toContain(
      'Callers need a bearer token, or an API key in the header X-Key.',
    )
    const both = buildAgentCard({ securityRequirements: [{ schemes: { a: {}, b: {} } }] }, { agentId: 'moorage', baseUrl: url, schemes })
    expect(announcement({ agent: builtInAgent, card: both, url, messageId })).toContain(
      'Callers need a bearer token and an API key in the header X-Key.',
    )
  })

  it('says that Temporal is away', () => {
    const text = announcement({ agent: builtInAgent, card, url, messageId, temporalFault: 'Temporal cannot be reached: start it' })
    expect(text).toContain('\nTemporal cannot be reached: start it. Until then, messages are accepted and wait.\n')
  })

  it('says what else has to be done', () => {
    const text = announcement({ agent: builtInAgent, card, url, messageId, notes: ['Make this version the current one.', ''] })
    expect(text).toContain('\n\nMake this version the current one.\n\n  Agent Card')
  })

  it.each([
    ['amount: integer', z.int(), 0],
    ['from 1 on', z.int().positive(), 1],
    ['from 2 on', z.int().min(2), 2],
    ['up to -3', z.number().max(-3), -3],
    ['below 0', z.int().lt(0), -1],
    ['0 to 10', z.number().min(-5).max(10), 0],
  ])('sends a number that a person would: %s', (_what, amount, data) => {
    const agent = defineAgent({ id: 'orders', input: z.object({ amount }), turn: (turn) => turn.complete() })
    expect(announcement({ agent, card, url, messageId })).toContain(`"parts":[{"data":{"amount":${data}}}]`)
  })

  it('sends an agent with a schema the least that this takes', () => {
    const input = z.object({ order: z.string(), amount: z.number().min(2), paid: z.boolean().optional(), kind: z.enum(['boat', 'berth']) })
    const agent = defineAgent({ id: 'orders', input, turn: (turn) => turn.complete() })
    expect(announcement({ agent, card, url, messageId })).toContain('"parts":[{"data":{"order":"text","amount":2,"kind":"boat"}}]')
  })

  it('says that the message is up to the schema where it cannot guess one', () => {
    const input = z.object({ order: z.string().regex(/^B-\d{6}$/) })
    const agent = defineAgent({ id: 'orders', input, turn: (turn) => turn.complete() })
    const text = announcement({ agent, card, url, messageId })
    expect(text).toContain('one data part that fits the schema of its input')
    expect(text).toContain("\n  curl -sS -w '\\n' http://127.0.0.1:8080/.well-known/agent-card.json\n")
  })
})
