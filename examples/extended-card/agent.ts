// Knows its callers by API keys, and shows those of the staff more than the public card says:
//
//   MOORAGE_AGENT=examples/extended-card/agent.ts \
//   MOORAGE_API_KEYS="ann@staff:$(printf %s "$API_KEY" | sha256sum | cut -c1-64)" npm start
//
//   curl -H 'A2A-Version: 1.0' -H "X-API-Key: $API_KEY" http://127.0.0.1:8080/a2a/extendedAgentCard
import { defineAgent } from '@moorage/agent'

const answer = { id: 'answer', name: 'Answer', description: 'Answers questions about orders.', tags: ['orders'] }
const refund = { id: 'refund', name: 'Refund', description: 'Refunds an order.', tags: ['orders', 'staff'] }

export default defineAgent({
  id: 'orders',
  card: { name: 'Orders', description: 'Looks after orders.', capabilities: { extendedAgentCard: true }, skills: [answer] },
  extendCard: ({ subject, tenant }) => ({
    description: `Looks after the orders of ${subject}.`,
    skills: tenant === 'staff' ? [answer, refund] : [answer],
  }),
  turn: (turn) => turn.complete(`Noted, ${turn.received[0]?.sender.subject}: ${turn.text}`),
})
