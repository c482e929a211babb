import { loopback } from './free-port.js'

/**
 * Arguments of `temporal` for the tuned dev server: one history shard polls 20 times a second by default, which costs every step up to 50 ms; ten
 * Updates in flight are too few; a full sync makes what Temporal has acknowledged survive a power cut.
 */
export function serverArguments(port: number, database: string): readonly string[] {
  const dynamicConfig = {
    'history.transferProcessorMaxPollRPS': 5_000,
    'history.timerProcessorMaxPollRPS': 5_000,
    'history.visibilityProcessorMaxPollRPS': 5_000,
    'history.maxInFlightUpdates': 1_000,
  }
  return [
    ...['server', 'start-dev', '--headless', '--ip', loopback, '--port', String(port), '--db-filename', database],
    ...Object.entries(dynamicConfig).flatMap(([key, value]) => ['--dynamic-config-value', `${key}=${value}`]),
    ...['--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=full', '--log-level', 'warn'],
  ]
}

/** Arguments that set the retention of a namespace; no flag of the dev server does. */
export function retentionArguments(address: string, namespace: string, hours: number): readonly string[] {
  return [
    ...['operator', 'namespace', 'update', '--namespace', namespace, '--retention', `${hours}h`, '--address', address],
    // Nothing of the user's own CLI settings may lead to another server.
    ...['--disable-config-env', '--disable-config-file', '--command-timeout', '10s'],
  ]
}
