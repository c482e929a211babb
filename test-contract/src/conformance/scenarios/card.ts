import { expect } from 'vitest'
import { fresh } from '../messages.js'
import { scenario } from '../scenario.js'
import { expectError } from '../wire/expect-error.js'
import type { Fields } from '../wire/forms.js'
import { createWireClient } from '../wire/wire-client.js'

const HOST = { on: ['host'] } as const
const PATH = '/.well-known/agent-card.json'

/** Every field that a card of 1.0 may have (a2a.proto, AgentCard). */
const CARD_FIELDS = [
  'name',
  'description',
  'supportedInterfaces',
  'provider',
  'version',
  'documentationUrl',
  'capabilities',
  'securitySchemes',
  'securityRequirements',
  'defaultInputModes',
  'defaultOutputModes',
  'skills',
  'signatures',
  'iconUrl',
]
const CAPABILITY_FIELDS = ['streaming', 'pushNotifications', 'extensions', 'extendedAgentCard']
const REQUIRED = [
  'name',
  'description',
  'supportedInterfaces',
  'version',
  'capabilities',
  'defaultInputModes',
  'defaultOutputModes',
  'skills',
]

interface Card extends Fields {
  readonly supportedInterfaces: readonly { readonly url: string; readonly protocolBinding: string; readonly protocolVersion: string }[]
  readonly capabilities: Fields
  readonly skills: readonly Fields[]
}

async function cardOf(url: string): Promise<Card> {
  return (await (await fetch(`${url}${PATH}`)).json()) as Card
}

scenario(
  'the card is public, for GET, HEAD and pages of other origins, and no version is asked for',
  ['CARD-01', 'PARAM-03'],
  { on: ['host'] },
  async ({ url }) => {
    for (const method of ['GET', 'HEAD']) {
      const response = await fetch(`${url}${PATH}`, { method, headers: { Origin: 'https://page.example' } })
      expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'application/json'])
      expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
      expect((await response.text()) === '').toBe(method === 'HEAD')
    }
    const posted = await fetch(`${url}${PATH}`, { method: 'POST' })
    expect([posted.status, posted.headers.get('Allow')]).toEqual([405, expect.stringContaining('GET, HEAD')])
  },
)

scenario('every interface answers where the card says, and every binding is on the card', ['CARD-02'], async ({ url, binding }) => {
  const { supportedInterfaces } = await cardOf(url)
  const ours = supportedInterfaces.filter(({ protocolBinding }) => protocolBinding === binding)
  expect(ours.length).toBeGreaterThan(0)
  for (const { url: base, protocolVersion } of ours) {
    expect(protocolVersion).toBe('1.0')
    expectError(await createWireClient(base, binding).refusal('GetTask', { id: fresh('none') }), binding, 'TASK_NOT_FOUND')
  }
})

scenario('the interfaces say what a client needs, the preferred one first', ['CARD-02'], HOST, async ({ url }) => {
  const { supportedInterfaces } = await cardOf(url)
  expect(supportedInterfaces.map(({ protocolBinding }) => protocolBinding)).toEqual(['JSONRPC', 'HTTP+JSON'])
  for (const { url: address } of supportedInterfaces) expect(new URL(address).protocol).toMatch(/^https?:$/)
})

scenario('the card has all it must, and nothing that 1.0 does not know', ['CARD-03', 'CARD-04'], HOST, async ({ url }) => {
  const card = await cardOf(url)
  for (const field of REQUIRED) expect(card).toHaveProperty(field)
  expect(CARD_FIELDS).toEqual(expect.arrayContaining(Object.keys(card)))
  expect(CAPABILITY_FIELDS).toEqual(expect.arrayContaining(Object.keys(card.capabilities)))
  for (const skill of card.skills) for (const field of ['id', 'name', 'description', 'tags']) expect(skill).toHaveProperty(field)
  expect(JSON.stringify(card)).not.toContain('null')
})

scenario('who has the card already is told so', ['CARD-05', 'CARD-06', 'CARD-07'], HOST, async ({ url }) => {
  const { headers } = await fetch(`${url}${PATH}`)
  expect(headers.get('Cache-Control')).toMatch(/max-age=\d+/)
  const [etag, modified] = [headers.get('ETag') ?? '', headers.get('Last-Modified') ?? '']
  const ask = async (conditions: Readonly<Record<string, string>>) => {
    const response = await fetch(`${url}${PATH}`, { headers: conditions })
    return [response.status, (await response.text()).length > 0]
  }
  expect(await ask({ 'If-None-Match': etag })).toEqual([304, false])
  expect(await ask({ 'If-None-Match': '"another"' })).toEqual([200, true])
  expect(await ask({ 'If-Modified-Since': modified })).toEqual([304, false])
  expect(await ask({ 'If-Modified-Since': new Date(0).toUTCString() })).toEqual([200, true])
})
