import { BACKENDS, type Backend } from './fault.js'

/** What `npm run chaos` is to do. */
export interface Options {
  readonly rounds: number
  readonly seed: number
  readonly on: Backend
}

export const USAGE = [
  'Usage: npm run chaos -- [--rounds N] [--seed N] [--on sqlite|postgres|cluster]',
  '',
  '  --rounds  how many rounds of faults, 1 to 100000 (20)',
  '  --seed    what decides the faults and the tasks, 0 to 4294967295 (1)',
  '  --on      what runs: one machine with SQLite, two agents and two workers on Postgres, or what npm run cluster starts (sqlite)',
].join('\n')

const DEFAULTS: Options = { rounds: 20, seed: 1, on: 'sqlite' }
const MOST_ROUNDS = 100_000
const MOST_SEED = 4_294_967_295

export type Parsed = { readonly options: Options } | { readonly fault: string } | { readonly help: true }

/** Reads the arguments; a wrong one is named in a sentence. */
export function parseOptions(args: readonly string[]): Parsed {
  let options = DEFAULTS
  for (let index = 0; index < args.length; index++) {
    const [name = '', inline] = split(args[index] ?? '')
    if (name === '--help') return { help: true }
    const value = inline ?? args[++index]
    const read = readOption(name, value)
    if ('fault' in read) return read
    options = { ...options, ...read }
  }
  return { options }
}

function split(argument: string): readonly [string, string?] {
  const at = argument.indexOf('=')
  return at < 0 ? [argument] : [argument.slice(0, at), argument.slice(at + 1)]
}

function readOption(name: string, value: string | undefined): Partial<Options> | { readonly fault: string } {
  if (!['--rounds', '--seed', '--on'].includes(name)) return { fault: `There is no argument ${name}.` }
  if (name === '--on') {
    const on = BACKENDS.find((candidate) => candidate === value)
    return on === undefined ? { fault: `--on must be ${BACKENDS.join(', ')}${given(value)}.` } : { on }
  }
  const [least, most] = name === '--rounds' ? [1, MOST_ROUNDS] : [0, MOST_SEED]
  const number = /^\d+$/.test(value ?? '') ? Number(value) : Number.NaN
  if (!(number >= least && number <= most)) return { fault: `${name} must be a whole number from ${least} to ${most}${given(value)}.` }
  return name === '--rounds' ? { rounds: number } : { seed: number }
}

function given(value: string | undefined): string {
  return value === undefined ? '' : `; it is ${value}`
}
