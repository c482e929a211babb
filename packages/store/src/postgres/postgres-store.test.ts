import { onTestFinished } from 'vitest'
import { describeStore } from '../suite/describe-store.js'
import { createTestSchema } from '../suite/test-schema.js'
import { openPostgresStore } from './open-postgres-store.js'

describeStore(async (options) => {
  const store = await openPostgresStore({ url: await createTestSchema(), acceptDeadlineMs: 60_000, ...options })
  onTestFinished(() => store.close())
  return store
})
