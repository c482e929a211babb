import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { defineAgent } from '@moorage/agent'
import { buildAgentCard } from '@moorage/card'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { announcement } from './announcement.js'
import { builtInAgent } from './built-in-agent.js'

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

  curl -s http://127.0.0.1:8080/a2a/message:send -H 'A2A-Version: 1.0' -H 'Content-Type: application/json' -d '{"message":{"messageId":"${messageId}","role":"ROLE_USER","parts":[{"text":"hello"}]}}'

`,
    )
  })

  it('sends the command to this machine where the card says a public URL', () => {
    const publicCard = buildAgentCard(builtInAgent.card, { agentId: 'moorage', baseUrl: 'https://agent.example/bots' })
    const text = announcement({ agent: builtInAgent, card: publicCard, url, messageId })
    expect(text).toContain('JSON-RPC    https://agent.example/bots/a2a\n')
    expect(text).toContain('curl -s http://127.0.0.1:8080/bots/a2a/message:send ')
  })

  it('quotes the example for a shell', async () => {
    const skill = { id: 'cafe', name: 'Café', description: 'Finds one.', tags: [], examples: ["what's near?"] }
    const odd = buildAgentCard({ skills: [skill] }, { agentId: 'odd', baseUrl: url })
    const text = announcement({ agent: builtInAgent, card: odd, url, messageId })
    const argument = text.slice(text.indexOf('-d ') + 3).trim()
    const { stdout } = await promisify(execFile)('sh', ['-c', `printf %s ${argument}`])
    expect(JSON.parse(stdout).message.parts).toEqual([{ text: "what's near?" }])
  })

  it('only asks for the card of an agent that takes data of its own kind', () => {
    const agent = defineAgent({ id: 'orders', input: z.object({ order: z.string() }), turn: (turn) => turn.complete() })
    expect(announcement({ agent, card, url, messageId })).toContain('\n  curl -s http://127.0.0.1:8080/.well-known/agent-card.json\n')
  })
})
