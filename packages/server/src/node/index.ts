/**
 * A harness behind Node's own HTTP server.
 * @module
 */
export { AddressInUseError } from './address-in-use-error.js'
export { type ServeOptions, type Serving, serve } from './serve.js'
