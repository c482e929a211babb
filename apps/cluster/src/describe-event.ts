import type { ProcessEvent } from './processes/keep-running.js'

/** A line for the person at the terminal. */
export function describeEvent(event: ProcessEvent): string {
  const { kind, name } = event
  if (kind === 'down') return `${name} (pid ${event.pid}) has ended ${event.how}; it is started again.`
  if (kind === 'failed') return `${name} could not be started, and will be tried again: ${event.reason}`
  const verb = event.starts === 1 ? 'runs' : 'runs again'
  return `${name} ${verb} (pid ${event.pid}, ${(event.tookMs / 1000).toFixed(1)} s).`
}
