/** What runs in a process. */
export interface Runs {
  readonly turns: number
  readonly commands: number
}

/** What a process that ends waits for: what still runs and has that long, else the part that is being ended. */
export function describeRuns({ turns, commands }: Runs, graceMs: number, ending: string | undefined): string {
  const what = [count(turns, 'turn'), count(commands, 'command')].filter((part) => part !== undefined).join(' and ')
  if (what === '') return ending === undefined ? 'almost done' : `the ${ending} is being ended`
  const [are, have] = turns + commands === 1 ? ['is', 'it has'] : ['are', 'they have']
  return `${what} ${are} still running; ${have} ${seconds(graceMs)}`
}

/** Milliseconds as a person reads them. */
export function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`
}

function count(number: number, noun: string): string | undefined {
  return number === 0 ? undefined : `${number} ${noun}${number === 1 ? '' : 's'}`
}
