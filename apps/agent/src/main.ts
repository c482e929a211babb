/**
 * apps/agent: serves one agent, as the environment says, until a signal ends it.
 * @module
 */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { CardError } from '@moorage/card'
import { DataFolderTakenError, EngineError } from '@moorage/engine'
import type { Logger } from 'pino'
import { announcement } from './announcement.js'
import { parseConfig } from './config.js'
import { ConfigError } from './config-error.js'
import { createLogger } from './logger.js'
import { PortError } from './port.js'
import { startAgent } from './start.js'

/** sysexits.h: a configuration error. */
const EXIT_CONFIG = 78

const stop = new AbortController()

async function main(): Promise<void> {
  const config = parseConfig(process.env, process.cwd())
  const logger = createLogger(config.logLevel)
  surviveRejections(logger)
  for (const warning of config.warnings) logger.warn(warning)
  const { signal } = stop
  const running = await startAgent(config, { env: process.env, logger, progress: tell, signal })
  process.stdout.write(announcement({ ...running, messageId: randomUUID() }))
  if (!signal.aborted) await once(signal, 'abort')
  logger.info('stopping')
  await running.stop()
  logger.info('stopped')
}

/** The first signal asks for an orderly end, the second one ends at once; then the engine's watchdog sees to the engine. */
function obeySignals(): void {
  const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
  for (const [name, code] of Object.entries(exitCodes)) {
    process.on(name, () => {
      if (stop.signal.aborted) process.exit(code)
      stop.abort()
    })
  }
  // `npm start` holds the other end of this channel: it closes when that process is killed.
  process.once('disconnect', () => stop.abort())
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}

/**
 * A promise that an agent's code left behind and that fails is not the end: it would come again with the turn, after each restart. An exception that
 * nobody caught is, since nothing can be relied on after it.
 */
function surviveRejections(logger: Logger): void {
  process.on('unhandledRejection', (error: unknown) => {
    logger.error({ err: error }, 'a promise failed and nothing handles it: await it where it is made')
  })
  process.on('uncaughtException', (error: unknown) => {
    logger.fatal({ err: error }, 'an error that nothing handles; the process ends')
    process.exit(1)
  })
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** Says why there is no start, in sentences, and returns the exit code. */
function explain(error: unknown): number {
  if (stop.signal.aborted && error === stop.signal.reason) return 0
  if (error instanceof ConfigError) {
    tell(['Moorage cannot start:', ...error.faults.map((fault) => `  - ${fault}`)].join('\n'))
    return EXIT_CONFIG
  }
  const isExpected = [CardError, DataFolderTakenError, EngineError, PortError].some((kind) => error instanceof kind)
  tell(`Moorage cannot start: ${error instanceof Error ? error.message : String(error)}`)
  if (!isExpected) createLogger('fatal').fatal({ err: error }, 'an error that was not foreseen')
  return error instanceof CardError ? EXIT_CONFIG : 1
}

obeySignals()
main().then(
  () => process.exit(0),
  (error: unknown) => process.exit(explain(error)),
)
