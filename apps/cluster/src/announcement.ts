import { join } from 'node:path'
import { NAMESPACE } from './app-environment.js'
import type { Ports } from './ports.js'

export interface AnnouncementOptions {
  /** Where clients reach the agents. */
  readonly url: string
  readonly ports: Ports
  readonly folder: string
  /** Whether the agent is the built-in one, of which it is known what it understands. */
  readonly isBuiltIn: boolean
  /** For the message that the command sends. */
  readonly messageId: string
}

/** What a person at the terminal is told once the cluster runs: where everything is, and a command that can be copied. */
export function announcement(options: AnnouncementOptions): string {
  const { url, ports, folder } = options
  const at = (port: number) => `127.0.0.1:${port}`
  const rows = [
    ['Agent Card', `${url}/.well-known/agent-card.json`],
    ['JSON-RPC', `${url}/a2a`],
    ['HTTP+JSON', `${url}/a2a`],
    ['agents', `${ports.agents.map((port) => `http://${at(port)}`).join('  ')}  (the proxy takes them in turn)`],
    ['workers', `${ports.workers.map((port) => `http://${at(port)}/readyz`).join('  ')}  (health only)`],
    ['Temporal', `${at(ports.temporal.frontend.grpc)}, namespace ${NAMESPACE}`],
    ['Postgres', `${at(ports.postgres)}, user postgres, databases moorage, temporal, temporal_visibility`],
    ['password', join(folder, 'postgres', 'cluster', 'moorage-password')],
    ['logs', join(folder, 'logs')],
  ]
  const lines = rows.map(([name = '', where = '']) => `  ${name.padEnd(10)}  ${where}`)
  return ['', 'The cluster runs.', '', ...lines, '', 'Try it:', '', `  ${command(options)}`, '', ADVICE, '', ''].join('\n')
}

const ADVICE =
  'Kill any of them with kill -9 and the pid above: it is started again, and nothing that was accepted is lost. Ctrl-C stops all.'

function command({ url, isBuiltIn, messageId }: AnnouncementOptions): string {
  const body = { message: { messageId, role: 'ROLE_USER', parts: [{ text: isBuiltIn ? 'count to 50' : 'hello' }] } }
  const headers = "-H 'A2A-Version: 1.0' -H 'Content-Type: application/json'"
  return `curl -sSN ${url}/a2a/message:stream ${headers} -d '${JSON.stringify(body)}'`
}
