import { randomUUID } from 'node:crypto'
import { SendMessageRequest, StreamResponse, Task } from '@a2a-js/sdk'
import { type Client, ClientFactory, ClientFactoryOptions } from '@a2a-js/sdk/client'
import type { StreamResponseJson, TaskJson } from '@moorage/protocol'
import type { Script } from './conformance-agent/script.js'

export const BINDINGS = ['JSONRPC', 'HTTP+JSON'] as const
export type Binding = (typeof BINDINGS)[number]

/** The SDK's own client, unmodified, over the binding. */
export async function connect(url: string, binding: Binding): Promise<Client> {
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, { preferredTransports: [binding] })
  return new ClientFactory(options).createFromUrl(url)
}

interface RequestFields {
  readonly messageId?: string
  readonly taskId?: string
  readonly contextId?: string
  readonly returnImmediately?: boolean
}

/** A request with a new message: a text, or a script for the conformance agent. */
export function sendRequest(content: string | Script, { returnImmediately = false, ...fields }: RequestFields = {}): SendMessageRequest {
  const part = typeof content === 'string' ? { text: content } : { data: { script: content } }
  return SendMessageRequest.fromJSON({
    message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [part], ...fields },
    configuration: { returnImmediately },
  })
}

/** Sends and gives the Task in its wire form; an answer that is a Message is an error here. */
export async function send(client: Client, content: string | Script, fields: RequestFields = {}): Promise<TaskJson> {
  const result = await client.sendMessage(sendRequest(content, fields))
  if (!('status' in result)) throw new Error('The answer is a Message')
  return toJson(result)
}

export async function getTask(client: Client, id: string): Promise<TaskJson> {
  return toJson(await client.getTask({ tenant: '', id }))
}

export function toJson(task: Task): TaskJson {
  return Task.toJSON(task) as TaskJson
}

/** What an event of a stream says, in a few words. */
export function describeEvent(event: StreamResponse): string {
  const json = StreamResponse.toJSON(event) as StreamResponseJson
  if ('task' in json) return `task ${json.task.status.state}`
  if ('statusUpdate' in json) return `status ${json.statusUpdate.status.state}`
  return 'artifactUpdate' in json ? `artifact ${json.artifactUpdate.artifact.artifactId}` : 'message'
}

/** The text of an artifact, its parts one after the other. */
export function artifactText(task: TaskJson, artifactId = 'numbers'): string {
  const parts = task.artifacts?.find((artifact) => artifact.artifactId === artifactId)?.parts ?? []
  return parts.map((part) => ('text' in part ? part.text : '')).join('')
}

/** "1 2 3 … n ", as the conformance agent writes its numbered chunks. */
export function numbers(count: number): string {
  return Array.from({ length: count }, (_, index) => `${index + 1} `).join('')
}
