import type { Harness } from '@moorage/server'
import { Hono } from 'hono'
import { isName, NAME_RULE, type Rendezvous } from './rendezvous.js'

/** The harness mounted in an application of its own, beside the routes by which a test opens gates and reads counters. */
export function createConformanceApp(harness: Harness, rendezvous: Rendezvous): Harness {
  const app = new Hono()
  app.post('/_gates/:gate', async (c) => {
    const gate = c.req.param('gate')
    if (!isName(gate)) return c.json({ error: `The name of a gate ${NAME_RULE}` }, 400)
    await rendezvous.open(gate)
    return c.json({ gate, open: true })
  })
  app.get('/_counters', async (c) => c.json(await rendezvous.counts()))
  app.all('*', (c) => harness.fetch(c.req.raw, c.env as object))
  return { ...harness, fetch: (request, env) => app.fetch(request, env) }
}
