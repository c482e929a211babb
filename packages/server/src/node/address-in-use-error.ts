/** Another process listens on the port. */
export class AddressInUseError extends Error {
  override readonly name = 'AddressInUseError'
  readonly code = 'EADDRINUSE'
  readonly port: number

  constructor(host: string, port: number, cause: unknown) {
    super(`Port ${port} of ${host} is in use: stop what listens there, or choose another port`, { cause })
    this.port = port
  }
}
