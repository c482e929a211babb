import { isLoopback } from '@moorage/bootstrap'

const REMEDY = 'set MOORAGE_JWT_ISSUER, MOORAGE_API_KEYS, MOORAGE_PERIMETER_HEADER or MOORAGE_ACCESS'

/** What is to be said of callers that nobody knows: a sentence, where others reach the address. */
export function warnOfOpenDoor(host: string): readonly string[] {
  return isLoopback(host)
    ? []
    : [`HOST is ${host}: whoever reaches this machine can use the agent, since it has no authentication; ${REMEDY}`]
}

/**
 * What is to be said of listening on an address that others reach: a sentence each.
 * @param isGuarded whether callers are authenticated
 */
export function warnOfExposure(host: string, baseUrl: string | undefined, isGuarded: boolean): readonly string[] {
  if (isLoopback(host)) return []
  const open = isGuarded ? [] : warnOfOpenDoor(host)
  const isEveryAddress = host === '0.0.0.0' || host === '::'
  if (baseUrl !== undefined || !isEveryAddress) return open
  return [...open, 'MOORAGE_BASE_URL is not set: the card sends clients to an address of this machine that others cannot reach']
}
