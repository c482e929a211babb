import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: ['./src/engine-setup.ts', './src/postgres-setup.ts', './src/logs-setup.ts'],
    // What is awaited here passes through other processes: the limits only stop a test that hangs.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
})
