/**
 * What went wrong with the engine.
 * `cli-unusable`: the CLI that was named does not do; `unobtainable`: none found and none fetched; `folder-in-use`: another process has the
 * data folder's engine; `database-newer`: a newer server wrote the database; `start-failed`: the server did not come up;
 * `options`: an option cannot be used.
 */
export type EngineErrorCode = 'cli-unusable' | 'unobtainable' | 'folder-in-use' | 'database-newer' | 'start-failed' | 'options'

/** A fault of the engine; the message says what was tried and what to do, and may have several lines. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly code: EngineErrorCode

  constructor(code: EngineErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** The text of whatever was thrown, with its cause where that says more (as in "fetch failed"). */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const cause = error.cause instanceof Error && error.cause.message !== '' ? `: ${error.cause.message}` : ''
  return `${error.message}${cause}`
}
