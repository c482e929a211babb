import { type Backend, roleOf } from './fault.js'
import { DAMAGES } from './finding.js'
import type { Options } from './options.js'
import type { ChaosResult } from './run-chaos.js'

/** What the suite comes to: how often each fault happened, and what became of the tasks. */
export function report({ strikes, tasks, verdicts }: ChaosResult, options: Options): readonly string[] {
  const counts = new Map<string, number>()
  for (const { fault } of strikes) {
    const name = `${fault.kind.padEnd(5)} ${roleOf(fault)}`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const sums = DAMAGES.map((damage) => `${verdicts.filter((verdict) => verdict.damage === damage).length} ${damage}`)
  return [
    '',
    ...[...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, count]) => `  ${name.padEnd(16)} ${String(count).padStart(4)}`),
    '',
    ...verdicts.map(({ damage, task, what }) => `  ${damage}: ${task}: ${what}`),
    `${tasks} tasks, ${strikes.length} faults on ${options.on}: ${sums.join(', ')}`,
    ...(verdicts.length > 0 ? [`Seed ${options.seed}. Again: ${command(options)}`] : []),
  ]
}

function command({ rounds, seed, on }: { readonly rounds: number; readonly seed: number; readonly on: Backend }): string {
  return `npm run chaos -- --rounds ${rounds} --seed ${seed} --on ${on}`
}
