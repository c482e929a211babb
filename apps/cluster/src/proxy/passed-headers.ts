/** RFC 9110 §7.6.1: these are about one connection, and so are those that `Connection` names. */
const ONE_CONNECTION = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
]

type Headers = Readonly<Record<string, readonly string[] | undefined>>

/** What is passed on of a message's headers; the framing of its body is not among them, nor an expectation that the proxy meets itself. */
export function passedHeaders(headers: Headers): Record<string, string[]> {
  const named = (headers['connection'] ?? []).flatMap((line) => line.split(',')).map((name) => name.trim().toLowerCase())
  const dropped = new Set([...ONE_CONNECTION, ...named, 'transfer-encoding', 'expect'])
  const passed: Record<string, string[]> = {}
  for (const [name, values] of Object.entries(headers)) {
    if (values !== undefined && !dropped.has(name)) passed[name] = [...values]
  }
  return passed
}
