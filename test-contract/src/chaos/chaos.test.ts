import { expect, it } from 'vitest'
import { chaos } from './chaos.js'
import { report } from './report.js'

// Seeds with a kill of the agent, a kill of the engine, a pause and a cut in the first, a kill of Postgres and of a worker in the second.
it.each([
  { on: 'sqlite', rounds: 4, seed: 34 },
  { on: 'postgres', rounds: 3, seed: 143 },
] as const)(
  'loses, doubles and forgets nothing in $rounds rounds on $on',
  async (options) => {
    const lines: string[] = []
    const run = await chaos(options, new AbortController().signal, (line) => lines.push(line))
    // What happened is told where something is wrong.
    expect([...lines, ...report(run, options)].join('\n')).toContain('0 lost, 0 doubled, 0 stuck, 0 wrong, 0 left over')
  },
  600_000,
)
