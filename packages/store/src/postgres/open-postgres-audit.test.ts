import { onTestFinished } from 'vitest'
import { describeAudit } from '../suite/audit-suite.js'
import { createTestSchema } from '../suite/test-schema.js'
import { openPostgresAudit } from './open-postgres-audit.js'
import { openPostgresStore } from './open-postgres-store.js'

describeAudit(async () => {
  const url = await createTestSchema()
  return {
    async openStore() {
      const store = await openPostgresStore({ url })
      onTestFinished(() => store.close())
      return store
    },
    async openAudit() {
      const reader = await openPostgresAudit({ url })
      onTestFinished(() => reader.close())
      return reader
    },
  }
})
