import { expect, it } from 'vitest'
import { parseArguments } from './parse-arguments.js'

it('knows what each argument asks for', () => {
  const modes = [{ mode: 'run' }, { mode: 'demo' }, { mode: 'test' }, { mode: 'help' }]
  expect([[], ['--demo'], ['--test'], ['--help']].map(parseArguments)).toEqual(modes)
})

it('names an argument that there is not, or that is too much', () => {
  expect(parseArguments(['--dmeo'])).toEqual({ fault: 'There is no argument --dmeo.' })
  expect(parseArguments(['--demo', '--test'])).toEqual({ fault: '--demo stands alone: --test cannot go with it.' })
})
