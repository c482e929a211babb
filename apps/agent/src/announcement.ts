import type { Agent } from '@moorage/agent'
import type { AgentCardJson } from '@moorage/protocol'

export interface AnnouncementOptions {
  readonly agent: Agent
  readonly card: AgentCardJson
  /** Where this machine reaches the server. */
  readonly url: string
  /** For the message that the command sends. */
  readonly messageId: string
}

/** What a person at the terminal is told once the server serves: where everything is, and a command that can be copied. */
export function announcement(options: AnnouncementOptions): string {
  const { agent, card, url } = options
  const rows = [
    ['Agent Card', `${url}/.well-known/agent-card.json`],
    ...card.supportedInterfaces.map((entry) => [entry.protocolBinding === 'JSONRPC' ? 'JSON-RPC' : entry.protocolBinding, entry.url]),
  ]
  const lines = rows.map(([name = '', where = '']) => `  ${name.padEnd(10)}  ${where}`)
  return ['', `${card.name} is served (agent "${agent.id}").`, '', ...lines, '', 'Try it:', '', `  ${command(options)}`, '', ''].join('\n')
}

function command({ agent, card, url, messageId }: AnnouncementOptions): string {
  const binding = card.supportedInterfaces.find((entry) => entry.protocolBinding === 'HTTP+JSON')
  // What an agent with a schema takes cannot be guessed.
  if (binding === undefined || agent.input !== 'text') return `curl -s ${url}/.well-known/agent-card.json`
  const text = card.skills[0]?.examples?.[0] ?? 'hello'
  const body = { message: { messageId, role: 'ROLE_USER', parts: [{ text }] } }
  const path = new URL(binding.url).pathname.replace(/\/$/, '')
  const headers = "-H 'A2A-Version: 1.0' -H 'Content-Type: application/json'"
  return `curl -s ${url}${path}/message:send ${headers} -d '${quoted(JSON.stringify(body))}'`
}

/** For a shell's single quotes. */
function quoted(text: string): string {
  return text.replaceAll("'", "'\\''")
}
