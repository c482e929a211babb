/** Where the server says what no client may know; pino's loggers fit. */
export interface Logger {
  error(fields: Readonly<Record<string, unknown>>, message: string): void
}
