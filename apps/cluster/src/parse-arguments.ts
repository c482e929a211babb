/** What `npm run cluster` is to do. */
export type Mode = 'run' | 'demo' | 'test'

const MODES: Readonly<Record<string, Mode>> = { '--demo': 'demo', '--test': 'test' }

export const USAGE = [
  'Usage: npm run cluster               runs the cluster until Ctrl-C',
  '       npm run cluster -- --demo     kills each of its processes in turn while a stream goes on, and says what became of it',
  '       npm run cluster -- --test     runs the replica tests on its Temporal and Postgres',
].join('\n')

/** The mode that the arguments name, a question for the usage, or the fault in them, in a sentence. */
export function parseArguments(args: readonly string[]): { readonly mode: Mode | 'help' } | { readonly fault: string } {
  const [flag, ...others] = args
  if (flag === undefined) return { mode: 'run' }
  if (flag === '--help' || flag === '-h') return { mode: 'help' }
  const mode = MODES[flag]
  if (mode === undefined) return { fault: `There is no argument ${flag}.` }
  return others.length === 0 ? { mode } : { fault: `${flag} stands alone: ${others.join(' ')} cannot go with it.` }
}
