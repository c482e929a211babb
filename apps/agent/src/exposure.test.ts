import { describe, expect, it } from 'vitest'
import { warnOfExposure } from './exposure.js'

describe('warnOfExposure', () => {
  it.each(['192.168.1.5', 'agent.internal'])('says that %s is reached by others', (host) => {
    expect(warnOfExposure(host, undefined, false)).toEqual([
      expect.stringContaining(
        `HOST is ${host}: whoever reaches this machine can use the agent, since it has no authentication; set MOORAGE_JWT_ISSUER`,
      ),
    ])
  })

  it.each(['0.0.0.0', '::'])('says that the card cannot say where %s is', (host) => {
    expect(warnOfExposure(host, undefined, false)).toHaveLength(2)
    expect(warnOfExposure(host, undefined, false)[1]).toMatch(/^MOORAGE_BASE_URL is not set/)
    expect(warnOfExposure(host, 'https://agent.example', false)).toHaveLength(1)
  })

  it.each(['127.0.0.1', '127.8.8.8', '::1', 'localhost'])('says nothing of %s', (host) => {
    expect(warnOfExposure(host, undefined, false)).toEqual([])
  })

  it('says nothing of who can use an agent that knows its callers', () => {
    expect(warnOfExposure('192.168.1.5', undefined, true)).toEqual([])
    expect(warnOfExposure('0.0.0.0', undefined, true)).toEqual([expect.stringMatching(/^MOORAGE_BASE_URL is not set/)])
  })
})
