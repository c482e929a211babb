import { isIP } from 'node:net'
import { type ConnectionOptions, connect } from 'node:tls'
import { addressOf, type TemporalOptions } from '../temporal-options.js'
import type { Finding } from './fault-sentences.js'

const PATIENCE_MS = 1000
/** In TLS 1.3 a server says only after the handshake that it does not take the client's certificate. */
const AFTERTHOUGHT_MS = 300

/**
 * Finds out by a TLS handshake of its own why a server drops connections: it may want TLS, or another client certificate. Undefined: TLS
 * has nothing to do with it.
 */
export function observeHandshake(options: TemporalOptions, usesTls: boolean): Promise<Finding | undefined> {
  const { hostname, port } = new URL(`tcp://${addressOf(options)}`)
  const host = hostname.replace(/^\[|\]$/g, '')
  const socket = connect({
    host,
    port: Number(port),
    ...clientOf(options, host),
    rejectUnauthorized: false,
    ALPNProtocols: ['h2'],
  })
  socket.setTimeout(PATIENCE_MS, () => socket.destroy())
  let shaken = false
  return new Promise<Finding | undefined>((resolve) => {
    socket.once('secureConnect', () => {
      shaken = true
      if (!usesTls) return resolve('wants-tls')
      setTimeout(() => resolve(undefined), AFTERTHOUGHT_MS).unref()
    })
    socket.once('error', ({ message }) => {
      if (!/alert/i.test(message)) return
      resolve(usesTls ? 'client-certificate' : 'wants-tls')
    })
    socket.once('close', () => resolve(shaken && usesTls ? 'client-certificate' : undefined))
  }).finally(() => socket.destroy())
}

/** What the client shows of itself; names of hosts only, since TLS has no place for an address. */
function clientOf({ tls }: TemporalOptions, host: string): ConnectionOptions {
  const { clientCertPair, serverNameOverride: servername = host } = typeof tls === 'object' && tls !== null ? tls : {}
  return {
    ...(clientCertPair && { cert: Buffer.from(clientCertPair.crt), key: Buffer.from(clientCertPair.key) }),
    ...(isIP(servername) === 0 && { servername }),
  }
}
