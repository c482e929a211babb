import { describe, expect, it } from 'vitest'
import { baseUrlWarnings } from './base-url-warnings.js'
import { buildAgentCard } from './build-agent-card.js'

function warnings(baseUrl: string, ...urls: readonly string[]): readonly string[] {
  const supportedInterfaces = urls.map((url) => ({ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }))
  const card = buildAgentCard(urls.length === 0 ? {} : { supportedInterfaces }, { agentId: 'support', baseUrl })
  return baseUrlWarnings(card, baseUrl)
}

describe('baseUrlWarnings', () => {
  it('names both URLs of an interface that is not under the base URL', () => {
    expect(warnings('https://b.example.com', 'https://b.example.com/a2a', 'https://a.example.com/a2a')).toStrictEqual([
      "The card says that clients find it at https://a.example.com/a2a (supportedInterfaces[1].url), which is not under the base URL https://b.example.com, and the card's word holds; correct one of them, or leave supportedInterfaces out of the card to have it made from the base URL.",
    ])
  })

  it('has one sentence for interfaces of the same URL', () => {
    const [elsewhere, other] = ['https://a.example.com/a2a', 'https://c.example.com/a2a']
    expect(warnings('https://b.example.com', elsewhere, other, elsewhere)).toStrictEqual([
      expect.stringContaining(`${elsewhere} (supportedInterfaces[0].url, supportedInterfaces[2].url), which`),
      expect.stringContaining(`${other} (supportedInterfaces[1].url), which`),
    ])
  })

  it.each([
    ['https://example.com/team', 'https://example.com/a2a'],
    ['https://example.com/team', 'https://example.com/teams/a2a'],
    ['https://example.com', 'http://example.com/a2a'],
    ['https://example.com', 'https://example.com.evil.example/a2a'],
  ])('under %s is not %s', (baseUrl, url) => {
    expect(warnings(baseUrl, url)).toHaveLength(1)
  })

  it.each([
    ['https://example.com/', 'https://EXAMPLE.com:443/a2a'],
    ['https://example.com/a2a', 'https://example.com/a2a/'],
  ])('under %s is %s', (baseUrl, url) => {
    expect(warnings(baseUrl, url)).toStrictEqual([])
  })

  it('has nothing to say of a card that takes its interfaces from the base URL', () => {
    expect(warnings('https://example.com/team')).toStrictEqual([])
  })
})
