/** Where the worker and the waker say what happens; the shape of a pino logger. */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

function nothing(): void {}

/** Says nothing. */
export const SILENT: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing }
