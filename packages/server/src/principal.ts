import { ANONYMOUS, type Principal } from '@moorage/store'

/** Who calls. No authentication is configured, so everybody is the one anonymous caller. */
export function authenticate(): Principal {
  return ANONYMOUS
}
