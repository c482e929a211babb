import type { Agent } from '@moorage/agent'
import type { AgentCardJson } from '@moorage/protocol'
import { credentialsOf } from './callers.js'
import { guessInput } from './guess-input.js'

/** Says why it fails, and ends its answer with a line break. */
const CURL = "curl -sS -w '\\n'"

export interface AnnouncementOptions {
  readonly agent: Agent
  readonly card: AgentCardJson
  /** Where this machine reaches the server. */
  readonly url: string
  /** Who issues the bearer tokens that callers need. */
  readonly issuer?: string | undefined
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
  const title = `${card.name} is served (agent "${agent.id}").`
  return ['', title, '', ...away, ...notes, ...lines, '', ...callers(options), ...tryIt(options), '', ''].join('\n')
}

function callers({ card, issuer }: AnnouncementOptions): readonly string[] {
  const words = credentialsOf(card, issuer).map((credential) => credential.words)
  return words.length === 0 ? [] : [`Callers need ${words.join(', or ')}.`, '']
}

function nameOf({ protocolBinding, protocolVersion, tenant }: AgentCardJson['supportedInterfaces'][number]): string {
  const name = protocolBinding === 'JSONRPC' ? 'JSON-RPC' : protocolBinding
  if (protocolVersion !== '1.0') return `${name} (A2A ${protocolVersion})`
  return tenant === undefined ? name : `${name} (tenant ${tenant})`
}

function tryIt({ agent, card, url, issuer, messageId }: AnnouncementOptions): readonly string[] {
  const binding = card.supportedInterfaces.find((entry) => entry.protocolBinding === 'HTTP+JSON' && entry.protocolVersion === '1.0')
  const part = agent.input === 'text' ? { text: card.skills[0]?.examples?.[0] ?? 'hello' } : guessInput(agent.input)
  if (part === undefined) {
    const what = 'What it takes is one data part that fits the schema of its input.'
    return [what, 'Look at its card:', '', `  ${CURL} ${url}/.well-known/agent-card.json`]
  }
  if (binding === undefined) return ['Look at its card:', '', `  ${CURL} ${url}/.well-known/agent-card.json`]
  const body = { message: { messageId, role: 'ROLE_USER', parts: [part] } }
  const path = new URL(binding.url).pathname.replace(/\/$/, '')
  const [{ curl, query } = { curl: [] as readonly string[], query: undefined }] = credentialsOf(card, issuer)
  const target = query === undefined ? `${url}${path}/message:send` : `"${url}${path}/message:send?${query}"`
  const headers = ["-H 'A2A-Version: 1.0'", "-H 'Content-Type: application/json'", ...curl].join(' ')
  return ['Try it:', '', `  ${CURL} ${target} ${headers} -d '${quoted(JSON.stringify(body))}'`]
}

/** For a shell's single quotes. */
function quoted(text: string): string {
  return text.replaceAll("'", "'\\''")
}
