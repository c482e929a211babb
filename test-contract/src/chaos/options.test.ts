import { expect, it } from 'vitest'
import { parseOptions } from './options.js'

it('has a default for everything, and takes a value after a space or a sign of equality', () => {
  expect(parseOptions([])).toEqual({ options: { rounds: 20, seed: 1, on: 'sqlite' } })
  expect(parseOptions(['--rounds', '200', '--seed=7', '--on', 'postgres'])).toEqual({ options: { rounds: 200, seed: 7, on: 'postgres' } })
  expect(parseOptions(['--help'])).toEqual({ help: true })
})

it.each([
  [['--round', '3'], 'There is no argument --round.'],
  [['--rounds', '0'], '--rounds must be a whole number from 1 to 100000; it is 0.'],
  [['--rounds', '1e3'], '--rounds must be a whole number from 1 to 100000; it is 1e3.'],
  [['--seed'], '--seed must be a whole number from 0 to 4294967295.'],
  [['--on', 'mysql'], '--on must be sqlite, postgres, cluster; it is mysql.'],
])('says what is wrong with %j', (args, fault) => {
  expect(parseOptions(args)).toEqual({ fault })
})
