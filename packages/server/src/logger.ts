/** Where the server says what no client may know; pino's loggers fit. */
export interface Logger {
  /** What the operator should know of, though nothing is broken: callers that were refused. */
  warn?(fields: Readonly<Record<string, unknown>>, message: string): void
  error(fields: Readonly<Record<string, unknown>>, message: string): void
}
