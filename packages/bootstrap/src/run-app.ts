import { once } from 'node:events'
import { CardError } from '@moorage/card'
import { DataFolderTakenError, EngineError } from '@moorage/engine'
import type { Logger } from 'pino'
import { ConfigError } from './config-error.js'
import { createLogger } from './logger.js'
import type { SharedConfig } from './shared-config.js'
import { StartError } from './start-error.js'

/** What a start needs of the process. */
export interface AppPorts {
  readonly logger: Logger
  /** Told, a line at a time, what takes long. */
  readonly progress: (line: string) => void
  /** Aborted when the process is told to stop. */
  readonly signal: AbortSignal
}

/** Something that runs until it is stopped. */
export interface Running {
  /** Ends everything, in order. */
  stop(): Promise<void>
  /** What an end that takes long is waiting for, as the rest of a sentence: "2 turns are still running; they have 10 s". */
  waitsFor(): string
}

/** An app, from its configuration to what it says once it runs. */
export interface App<Config, Runs extends Running> {
  readonly readConfig: () => Promise<Config>
  readonly start: (config: Config, ports: AppPorts) => Promise<Runs>
  /** What a person is told on stdout once it runs. */
  readonly announce: (running: Runs) => string
}

interface AppConfig extends Pick<SharedConfig, 'logLevel'> {
  /** What the log never shows. */
  readonly secrets: readonly string[]
  readonly warnings: readonly string[]
}

/** sysexits.h: a configuration error. */
const EXIT_CONFIG = 78
const EXIT_FAILED = 1
/** When a person begins to wonder why the process has not ended. */
const SLOW_STOP_MS = 1000

/**
 * Runs an app until a signal ends it, and ends the process: with 0 after an orderly stop, 78 where the configuration is wrong, 1 where it cannot
 * start for another reason, 130, 143 or 129 at the second signal.
 */
export function runApp<Config extends AppConfig, Runs extends Running>(app: App<Config, Runs>): void {
  const stop = new AbortController()
  obeySignals(stop)
  run(app, stop.signal).then(
    () => process.exit(0),
    (error: unknown) => process.exit(stop.signal.aborted && error === stop.signal.reason ? 0 : explain(error)),
  )
}

async function run<Config extends AppConfig, Runs extends Running>(app: App<Config, Runs>, signal: AbortSignal): Promise<void> {
  const config = await app.readConfig()
  const logger = createLogger(config.logLevel, config.secrets)
  surviveRejections(logger)
  for (const warning of config.warnings) logger.warn(warning)
  const running = await app.start(config, { logger, progress: tell, signal })
  process.stdout.write(app.announce(running))
  if (!signal.aborted) await once(signal, 'abort')
  logger.info('stopping')
  const slow = setTimeout(() => tell(`stopping: ${running.waitsFor()}; press Ctrl-C again to end at once`), SLOW_STOP_MS)
  await running.stop()
  clearTimeout(slow)
  logger.info('stopped')
}

/** The first signal asks for an orderly end, the second one ends at once; then the engine's watchdog sees to the engine. */
function obeySignals(stop: AbortController): void {
  const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
  for (const [name, code] of Object.entries(exitCodes)) {
    process.on(name, () => {
      if (stop.signal.aborted) process.exit(code)
      stop.abort()
    })
  }
  // `npm start` holds the other end of this channel: it closes when that process is killed.
  process.once('disconnect', () => stop.abort())
  // It may have closed while the program was being loaded; without such a channel, this is undefined.
  if (process.connected === false) stop.abort()
  // It alone must not keep a process that has nothing left to do.
  process.channel?.unref()
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
    process.exit(EXIT_FAILED)
  })
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** Says why there is no start, in sentences, and returns the exit code. */
function explain(error: unknown): number {
  if (error instanceof ConfigError) {
    tell(['Moorage cannot start:', ...error.faults.map((fault) => `  - ${fault}`)].join('\n'))
    return EXIT_CONFIG
  }
  const isExpected = [CardError, DataFolderTakenError, EngineError, StartError].some((kind) => error instanceof kind)
  tell(`Moorage cannot start: ${error instanceof Error ? error.message : String(error)}`)
  if (!isExpected) createLogger('fatal').fatal({ err: error }, 'an error that was not foreseen')
  return error instanceof CardError ? EXIT_CONFIG : EXIT_FAILED
}
