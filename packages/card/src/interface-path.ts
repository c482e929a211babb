/** Letters that mean nothing to a router. */
const PLAIN_PATH = /^(?:\/[A-Za-z0-9._~-]+)*\/?$/

/** What keeps a URL from being an address that can be mounted, as a sentence; undefined if nothing does. */
export function addressFault(url: string): string | undefined {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:')
    return 'This is no absolute http or https URL; give one such as https://agents.example.com/a2a.'
  if (parsed.username !== '' || parsed.password !== '')
    return 'The URL has a user or a password in it, which everyone would read; leave them out.'
  if (/[?#]/.test(url)) return 'The URL has a query or a fragment; leave it out.'
  if (!PLAIN_PATH.test(parsed.pathname))
    return 'The path of the URL has a character that a path to mount cannot have; use letters, digits, ".", "_", "~" and "-" alone.'
  return undefined
}

/** The path of a URL without a slash at its end: `''` for the root. */
export function pathOf(url: string): string {
  return new URL(url).pathname.replace(/\/$/, '')
}
