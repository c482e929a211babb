import { isLoopback } from '@moorage/bootstrap'

/** What is to be said of listening on an address that others reach: a sentence each. */
export function warnOfExposure(host: string, baseUrl: string | undefined): readonly string[] {
  if (isLoopback(host)) return []
  const open = `HOST is ${host}: whoever reaches this machine can use the agent, since it has no authentication yet`
  const isEveryAddress = host === '0.0.0.0' || host === '::'
  if (baseUrl !== undefined || !isEveryAddress) return [open]
  return [open, 'MOORAGE_BASE_URL is not set: the card sends clients to an address of this machine that others cannot reach']
}
