import { type Agent, command, defineAgent, type InputSchema } from '@moorage/agent'
import { buildAgentCard } from '@moorage/card'
import type { AgentCardJson } from '@moorage/protocol'

/** An agent whose turns the tests play themselves. */
export function testAgent(input: InputSchema = 'text'): Agent {
  return defineAgent({
    id: 'tester',
    input,
    commands: { status: command('Says what it does', (run) => run.reply('fine')) },
    turn: () => {
      throw new Error('no worker runs in these tests')
    },
  })
}

/** The agent's card with other fields, under `http://agent.test/a2a`. */
export function testCard(fields: Partial<AgentCardJson> = {}): AgentCardJson {
  return { ...buildAgentCard({ name: 'Tester' }, { agentId: 'tester', baseUrl: 'http://agent.test' }), ...fields }
}
