import { BlockList, isIP } from 'node:net'

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** Whether a host, an address without brackets or a name, can only mean this machine. Names are not looked up. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase()
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  const family = isIP(name)
  return family !== 0 && LOOPBACK.check(name, family === 4 ? 'ipv4' : 'ipv6')
}
