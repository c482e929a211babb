/** Why a process cannot start although its configuration may be right: something that it needs is not there. The message says what to do. */
export class StartError extends Error {
  override readonly name: string = 'StartError'
}
