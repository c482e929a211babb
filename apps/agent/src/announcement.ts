import type { Agent } from '@moorage/agent'
import type { AgentCardJson } from '@moorage/protocol'
import { guessInput } from './guess-input.js'

/** Says why it fails, and ends its answer with a line break. */
const CURL = "curl -sS -w '\\n'"

export interface AnnouncementOptions {
  readonly agent: Agent
  readonly card: AgentCardJson
  /** Where this machine reaches the server. */
  readonly url: string
  /** For the message that the command sends. */
  readonly messageId: string
  /** Why Temporal cannot be used yet, as a sentence without its full stop. */
  readonly temporalFault?: string | undefined
  /** What else has to be done, such as making the version of its worker the current one. */
  readonly notes?: readonly string[]
}

/** What a person at the terminal is told once the server serves: where everything is, and a command that can be copied. */
export function announcement(options: AnnouncementOptions): string {
  const { agent, card, url, temporalFault, notes = [] } = options
  const rows = [
    ['Agent Card', `${url}/.well-known/agent-card.json`],
    ...card.supportedInterfaces.map((entry) => [nameOf(entry), entry.url]),
  ]
  const width = Math.max(...rows.map(([name = '']) => name.length))
  const lines = rows.map(([name = '', where = '']) => `  ${name.padEnd(width)}  ${where}`)
  const away = temporalFault === undefined ? [] : [`${temporalFault}. Until then, messages are accepted and wait.`, '']
  return ['', `${card.name} is served (agent "${agent.id}").`, '', ...away, ...notes, ...lines, '', ...tryIt(options), '', ''].join('\n')
}

function nameOf({ protocolBinding, protocolVersion, tenant }: AgentCardJson['supportedInterfaces'][number]): string {
  const name = protocolBinding === 'JSONRPC' ? 'JSON-RPC' : protocolBinding
  if (protocolVersion !== '1.0') return `${name} (A2A ${protocolVersion})`
  return tenant === undefined ? name : `${name} (tenant ${tenant})`
}

function tryIt({ agent, card, url, messageId }: AnnouncementOptions): readonly string[] {
  const binding = card.supportedInterfaces.find((entry) => entry.protocolBinding === 'HTTP+JSON' && entry.protocolVersion === '1.0')
  const part = agent.input === 'text' ? { text: card.skills[0]?.examples?.[0] ?? 'hello' } : guessInput(agent.input)
  if (part === undefined) {
    const what = 'What it takes is one data part that fits the schema of its input.'
    return [what, 'Look at its card:', '', `  ${CURL} ${url}/.well-known/agent-card.json`]
  }
  if (binding === undefined) return ['Look at its card:', '', `  ${CURL} ${url}/.well-known/agent-card.json`]
  const body = { message: { messageId, role: 'ROLE_USER', parts: [part] } }
  const path = new URL(binding.url).pathname.replace(/\/$/, '')
  const headers = "-H 'A2A-Version: 1.0' -H 'Content-Type: application/json'"
  return ['Try it:', '', `  ${CURL} ${url}${path}/message:send ${headers} -d '${quoted(JSON.stringify(body))}'`]
}

/** For a shell's single quotes. */
function quoted(text: string): string {
  return text.replaceAll("'", "'\\''")
}
