import { once } from 'node:events'
import { createServer, isIP } from 'node:net'
import { findPortOwner } from '@moorage/engine'
import { StartError } from './start-error.js'

/** The port cannot be listened on. The message says which, who has it, and what to do. */
export class PortError extends StartError {
  override readonly name = 'PortError'
}

/** A sentence where HOST is no address that this machine could listen on; none where it is. */
export async function checkHost(host: string): Promise<readonly string[]> {
  try {
    await checkPort(host, 0)
    return []
  } catch (error) {
    return [error instanceof PortError ? error.message : `HOST is ${host}, which cannot be listened on: ${String(error)}`]
  }
}

/**
 * Finds out, before anything is started, whether the port can be had; 0 becomes a port that is free now.
 * @param variable the environment variable that names the port
 * @throws PortError
 */
export async function checkPort(host: string, port: number, variable = 'PORT'): Promise<number> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    throw await describePortError(error, host, port, variable)
  }
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : port
}

/** The PortError of what `listen` threw; anything else as it is. */
export async function describePortError(error: unknown, host: string, port: number, variable = 'PORT'): Promise<unknown> {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') {
    const owner = await findPortOwner(port)
    const who = owner === undefined ? 'another process' : `process ${owner.pid} (${owner.command})`
    return new PortError(`Port ${port} of ${host} is in use by ${who}. Stop it, or set ${variable} to another port.`, { cause: error })
  }
  if (code === 'EACCES')
    return new PortError(`Port ${port} needs rights that this process lacks. Set ${variable} to one from 1024 on.`, { cause: error })
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    const message = `HOST is ${host}, which is no address of this machine. Set it to 127.0.0.1, or to an address that is`
    return new PortError(message, { cause: error })
  }
  return error
}

/** The URL at which this machine reaches a server on `host`; one on every address is reached at its loopback address. */
export function localUrl(host: string, port: number): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${isIP(name) === 6 ? `[${name}]` : name}:${port}`
}
