import { Connection, type ConnectionOptions } from '@temporalio/client'
import { connectionOptions, type TemporalOptions } from './temporal-options.js'

/** Else a long outage would keep the channel from trying again for minutes. */
const CHANNEL = { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 2000 }

/**
 * A connection that connects with its first call.
 * @throws TypeError that names the option which is wrong.
 */
export function openConnection(options: TemporalOptions, interceptors: NonNullable<ConnectionOptions['interceptors']>): Connection {
  const { address, tls, apiKey } = options
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new TypeError('temporal.apiKey must be visible ASCII without spaces; see whether a line break came with it')
  }
  try {
    return Connection.lazy({ ...connectionOptions(options), interceptors, channelArgs: CHANNEL })
  } catch (error) {
    if (typeof tls === 'object' && isOpenSsl(error)) {
      throw new TypeError('temporal.tls: its certificates or its key cannot be read, or do not belong together; give them as PEM', {
        cause: error,
      })
    }
    throw new TypeError(`temporal.address must be host:port, like 127.0.0.1:7233; it is ${JSON.stringify(address)}`, { cause: error })
  }
}

function isOpenSsl(error: unknown): boolean {
  return typeof error === 'object' && error !== null && String((error as { readonly code?: unknown }).code).startsWith('ERR_OSSL')
}
