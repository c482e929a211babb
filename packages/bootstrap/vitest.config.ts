import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Some of these tests start processes, and a Postgres.
  test: { testTimeout: 120_000, hookTimeout: 120_000 },
})
