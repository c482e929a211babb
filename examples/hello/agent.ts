import { defineAgent } from '@moorage/agent'

/** The smallest agent: MOORAGE_AGENT=examples/hello/agent.ts npm start */
export default defineAgent({
  id: 'hello',
  card: { name: 'Hello', description: 'Greets whoever writes to it.' },
  turn: (turn) => turn.complete(`Hello! You said: ${turn.text}`),
})
