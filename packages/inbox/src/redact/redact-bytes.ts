/** The base64 of bytes; those that are a text in UTF-8 are redacted as one, all others are left as they are. */
export function redactBytes(base64: string, text: (text: string) => string): string {
  const decoded = decode(base64)
  if (decoded === undefined) return base64
  const redacted = text(decoded)
  return redacted === decoded ? base64 : encode(redacted)
}

function decode(base64: string): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0)))
  } catch {
    return undefined
  }
}

/** In pieces, since a call takes only so many arguments. */
function encode(text: string): string {
  const bytes = new TextEncoder().encode(text)
  let binary = ''
  for (let start = 0; start < bytes.length; start += 8192) binary += String.fromCharCode(...bytes.subarray(start, start + 8192))
  return btoa(binary)
}
