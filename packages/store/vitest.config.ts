import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { globalSetup: 'src/suite/postgres-server.ts' },
})
