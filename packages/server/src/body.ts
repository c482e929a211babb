import { ContentTypeNotSupportedError } from '@a2a-js/sdk/errors'
import type { Context } from 'hono'
import { Refusal } from './errors.js'

/** The media type of a Content-Type header, without parameters; undefined where there is none. */
export function mediaType(header: string | undefined): string | undefined {
  return header?.split(';', 1)[0]?.trim().toLowerCase()
}

/**
 * JSON is UTF-8 (RFC 8259 §8.1), and nothing here unpacks a body.
 * @throws ContentTypeNotSupportedError for a body that is declared as something else
 */
export function requirePlainUtf8(c: Context): void {
  const charsets = [...(c.req.header('Content-Type') ?? '').matchAll(/;\s*charset\s*=\s*"?([^";\s]*)/gi)]
  if (charsets.some(([, charset]) => !/^utf-?8$/i.test(charset ?? ''))) {
    throw new ContentTypeNotSupportedError({ message: 'Send JSON in UTF-8, and no other charset in Content-Type' })
  }
  if (!/^(?:identity)?$/i.test(c.req.header('Content-Encoding')?.trim() ?? '')) {
    throw new ContentTypeNotSupportedError({ message: 'Send the body as it is, without Content-Encoding' })
  }
}

/**
 * The body as text.
 * @throws Refusal where it does not come to its end, and where it is not UTF-8: two texts must not become one by what is replaced
 */
export async function readText(c: Context): Promise<string> {
  const bytes = await c.req.arrayBuffer().catch((): never => {
    throw bodyEndedEarly()
  })
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new Refusal('ParseError', { message: 'Invalid JSON payload: the body is not UTF-8' })
  }
}

/** Nobody is left to read it: the client hung up in the middle of its body. It is a refusal so that no log takes it for our error. */
export function bodyEndedEarly(): Refusal {
  return new Refusal('InvalidRequest', { message: 'Request payload validation error: the body ended before its end' })
}

/** @throws Refusal for what is not JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal('ParseError')
  }
}
