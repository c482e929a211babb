import { describe, expect, it } from 'vitest'
import { compareVersions, parseServerVersion } from './server-version.js'

describe('parseServerVersion', () => {
  it('reads the server version of released and self-built CLIs', () => {
    expect(parseServerVersion('temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)\n')).toBe('1.29.1')
    expect(parseServerVersion('temporal version 0.0.0-DEV (Server 1.30.0-148.4, UI 2.42.1)')).toBe('1.30.0')
  })

  it('finds none where the output names no server', () => {
    expect(parseServerVersion('tctl version 1.18.0')).toBeUndefined()
  })
})

describe('compareVersions', () => {
  it('compares number by number, not as text', () => {
    expect(compareVersions('1.29.1', '1.3.9')).toBeGreaterThan(0)
    expect(compareVersions('1.29', '1.29.0')).toBe(0)
    expect(compareVersions('1.28.9', '1.29.0')).toBeLessThan(0)
  })
})
