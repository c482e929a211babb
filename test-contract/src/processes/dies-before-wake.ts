import { join } from 'node:path'
import { buildAgentCard } from '@moorage/card'
import { createHarness, type Logger } from '@moorage/server'
import { serve } from '@moorage/server/node'
import { openSqliteStore } from '@moorage/store/sqlite'
import type { Waker } from '@moorage/workflow/contract'
import { agent } from '../conformance-agent/agent.js'

/** Serves the conformance agent and dies where the product wakes the workflow: the message is recorded, and nobody has been told. */
const [dataDir, port] = process.argv.slice(2) as [string, string]
const waker: Waker = { wake: () => process.kill(process.pid, 'SIGKILL') }
const logger: Logger = { error: () => {} }

const store = await openSqliteStore({ path: join(dataDir, 'moorage.db') })
const card = buildAgentCard(agent.card, { agentId: agent.id, baseUrl: `http://127.0.0.1:${port}` })
const harness = createHarness(agent, { card, store, waker, logger })
const { url } = await serve(harness, { port: Number(port) })
await harness.start()
process.stdout.write(`${url}\n`)
