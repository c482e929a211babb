import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A connection of its own to a loopback port. @throws where none is taken there, or the signal comes first */
export async function connectTo(port: number, signal: AbortSignal): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  try {
    await once(socket, 'connect', { signal })
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}
