import { describe, expect, it } from 'vitest'
import { childEnvironment } from './child-environment.js'

describe('childEnvironment', () => {
  it("drops what would lead the CLI to another server or the app's hooks into the watchdog", () => {
    const env = { HOME: '/h', TEMPORAL_ADDRESS: 'elsewhere:7233', TEMPORAL_API_KEY: 'k', NODE_OPTIONS: '--import=tsx', UNSET: undefined }
    expect(childEnvironment(env, '/bin')).toEqual({ HOME: '/h', PATH: '/bin' })
  })
})
