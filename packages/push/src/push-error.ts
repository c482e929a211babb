/** `unknown-key`: sealed with a key that the ring does not have. `unreadable`: changed, or of another config or URL. */
export type PushErrorCode = 'unknown-key' | 'unreadable'

/** The secrets of a stored config cannot be had. The message names the config and the key's id, and shows no secret. */
export class PushError extends Error {
  override readonly name = 'PushError'
  readonly code: PushErrorCode

  constructor(code: PushErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
