import { defineAgent } from '@moorage/agent'

export default defineAgent({
  id: 'hello',
  card: { name: 'Hello', description: 'Greets whoever writes.' },
  turn: (turn) => turn.complete(`Hello, ${turn.text}!`),
})
