import { CONFIGURED_SECRET, SECRETS } from '@moorage/inbox/redaction-corpus'
import type { AgentProcess } from '../processes/agent-process.js'

/** What configures the process for the corpus, and has it write all that it ever logs. */
export const CORPUS_ENVIRONMENT = { MOORAGE_SECRETS: CONFIGURED_SECRET, LOG_LEVEL: 'trace' }

type Fields = Readonly<Record<string, unknown>>

/** How the agent ends its turn. */
export type Ends = 'complete' | 'fail' | 'throw'

/** What the agent does with what follows its command. */
export type CommandName = 'leak' | 'throw'

/** A header is one line of Latin characters. */
const headerOf = (text: string) => text.replaceAll(/\s+/g, ' ')

/** Sends an entry wherever a message can have a text, and resolves with the answer. */
export function sendEverywhere(app: AgentProcess, place: number, ends: Ends): Promise<Fields> {
  const text = textAt(place)
  const parts = [
    { text, metadata: { note: text, [text]: 'a name' } },
    { data: { note: text, list: [text], [text]: 'a name' } },
    { raw: btoa(text), mediaType: 'text/plain', filename: text },
  ]
  const message = { messageId: `${ends}-${place}`, parts, metadata: { place, ends, note: text, [text]: 'a name' } }
  return call(app, 'SendMessage', requestOf(message, text), { 'User-Agent': headerOf(text) })
}

/** Sends an entry as what follows a command. */
export function sendCommand(app: AgentProcess, place: number, name: CommandName): Promise<Fields> {
  const text = textAt(place)
  const message = { messageId: `${name}-command-${place}`, parts: [{ text: `/${name} ${place} ${text}` }] }
  return call(app, 'SendMessage', requestOf(message, text))
}

/** What must be refused, since it cannot be redacted: each way, with the answer's text. */
export async function sendWhereRefused(app: AgentProcess, place: number): Promise<readonly (readonly [string, string])[]> {
  const text = textAt(place)
  const message = { messageId: `refused-${place}`, parts: [{ text }], metadata: { place } }
  const asked: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['message id', () => call(app, 'SendMessage', requestOf({ ...message, messageId: text }, text))],
    ['context id', () => call(app, 'SendMessage', requestOf({ ...message, contextId: text }, text))],
    ['task id', () => call(app, 'GetTask', { id: text })],
    ['participant', () => call(app, 'SendMessage', requestOf(message, text), { 'X-Participant-Id': headerOf(text) })],
    ['extension', () => call(app, 'SendMessage', requestOf(message, text), { 'A2A-Extensions': headerOf(text) })],
    ['tenant', () => call(app, 'ListTasks', { tenant: text })],
    [
      'push URL',
      () => call(app, 'CreateTaskPushNotificationConfig', { taskId: 'none', url: `https://ann:${encodeURIComponent(text)}@hook.example/` }),
    ],
    ['method', () => call(app, text, {})],
    ['field', () => call(app, 'GetTask', { id: 'none', [text]: text })],
    ['no JSON', () => post(app, '', `{"jsonrpc": ${text}`)],
    ['path', () => get(app, `/a2a/tasks/${encodeURIComponent(text)}`)],
    ['query', () => get(app, `/a2a/tasks?pageToken=${encodeURIComponent(text)}&contextId=${encodeURIComponent(text)}`)],
  ]
  return Promise.all(asked.map(async ([where, ask]) => [where, JSON.stringify(await ask())] as const))
}

function textAt(place: number): string {
  const entry = SECRETS[place]
  if (entry === undefined) throw new Error(`The corpus has no entry ${place}`)
  return entry.text
}

function requestOf(message: Fields, note: string): Fields {
  return { message: { role: 'ROLE_USER', ...message }, metadata: { note, [note]: 'a name' } }
}

async function call(app: AgentProcess, method: string, params: Fields, headers: Readonly<Record<string, string>> = {}): Promise<Fields> {
  return JSON.parse(await post(app, '', JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), headers)) as Fields
}

async function post(app: AgentProcess, path: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const init = { method: 'POST', body, headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/json', ...headers } }
  return (await fetch(`${app.url}/a2a${path}`, init)).text()
}

async function get(app: AgentProcess, path: string): Promise<string> {
  return (await fetch(app.url + path, { headers: { 'A2A-Version': '1.0' } })).text()
}
