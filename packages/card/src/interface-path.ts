/** Letters that mean nothing to a router. */
const PLAIN_PATH = /^(?:\/[A-Za-z0-9._~-]+)*\/?$/

/** What keeps a URL from being an address that can be mounted, as a sentence; undefined if nothing does. */
export function addressFault(url: string): string | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') return 'Give an absolute http or https URL.'
  if (parsed.username !== '' || parsed.password !== '') return 'Leave the user and password out of the URL.'
  if (/[?#]/.test(url)) return 'Leave the query and the fragment out of the URL.'
  if (!PLAIN_PATH.test(parsed.pathname)) return 'Use letters, digits, ".", "_", "~" and "-" alone in the path of the URL.'
  return undefined
}

/** The path of a URL without a slash at its end: `''` for the root. */
export function pathOf(url: string): string {
  return new URL(url).pathname.replace(/\/$/, '')
}
