import { join } from 'node:path'
import { NAMESPACE } from './app-environment.js'
import type { Ports } from './ports.js'
import type { KeptProcess } from './processes/keep-running.js'

export interface AnnouncementOptions {
  /** Where clients reach the agents. */
  readonly url: string
  readonly ports: Ports
  readonly folder: string
  readonly processes: readonly Pick<KeptProcess, 'name' | 'pid'>[]
  /** Whether the agent is the built-in one, of which it is known what it understands. */
  readonly isBuiltIn: boolean
  /** For the message that the command sends. */
  readonly messageId: string
}

/** What a person at the terminal is told once the cluster runs: where everything is, and a command that can be copied. */
export function announcement(options: AnnouncementOptions): string {
  const { url, ports, folder, processes } = options
  const at = (port: number) => `127.0.0.1:${port}`
  const where: Readonly<Record<string, string>> = {
    ...Object.fromEntries(ports.agents.map((port, index) => [`agent ${index + 1}`, `http://${at(port)}`])),
    ...Object.fromEntries(ports.workers.map((port, index) => [`worker ${index + 1}`, `http://${at(port)}/readyz`])),
    Temporal: `${at(ports.temporal.frontend.grpc)}, namespace ${NAMESPACE}`,
    Postgres: `${at(ports.postgres)}, user postgres, database moorage; its password is in ${join(folder, 'postgres/cluster/moorage-password')}`,
  }
  const rows = [
    ['Agent Card', `${url}/.well-known/agent-card.json`],
    ['JSON-RPC', `${url}/a2a`],
    ['HTTP+JSON', `${url}/a2a`],
    ...processes.map(({ name, pid }) => [name, `pid ${String(pid()).padEnd(7)}  ${where[name] ?? ''}`]),
    ['logs', join(folder, 'logs')],
  ]
  const lines = rows.map(([name = '', what = '']) => `  ${name.padEnd(10)}  ${what}`)
  return ['', 'The cluster runs.', '', ...lines, '', 'Try it:', '', `  ${command(options)}`, '', ADVICE, ''].join('\n')
}

const ADVICE = 'Kill any of these with kill -9: it is started again, and nothing that was accepted is lost. Ctrl-C stops everything.'

function command({ url, isBuiltIn, messageId }: AnnouncementOptions): string {
  const body = { message: { messageId, role: 'ROLE_USER', parts: [{ text: isBuiltIn ? 'count to 50' : 'hello' }] } }
  const headers = "-H 'A2A-Version: 1.0' -H 'Content-Type: application/json'"
  return `curl -sSN ${url}/a2a/message:stream ${headers} -d '${JSON.stringify(body)}'`
}
