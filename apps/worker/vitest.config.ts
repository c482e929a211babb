import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Some of these tests start processes.
  test: { testTimeout: 60_000 },
})
