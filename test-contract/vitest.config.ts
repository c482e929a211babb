import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: ['./src/engine-setup.ts', './src/postgres-setup.ts'],
    // What is awaited here passes through other processes: the limits only stop a test that hangs.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
})
