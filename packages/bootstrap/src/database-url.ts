import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { SecretText } from './secret-text.js'
import { unreadable } from './unreadable.js'

/** Where a Postgres is. */
export interface DatabaseUrl {
  readonly url: SecretText
  /** Host, port and database, for messages. */
  readonly where: string
}

const MUST_BE = 'must be a postgres:// or postgresql:// URL, such as postgres://user:password@db.example:5432/moorage'

const ENCODE = 'percent-encode / # ? @ : % in user and password'
const FILES = ['sslrootcert', 'sslcert', 'sslkey']

/** The schema of DATABASE_URL; its messages show nothing of the URL but its scheme and the paths of its certificates. */
export const databaseUrl: z.ZodType<DatabaseUrl, string> = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const faults = url === undefined ? [`${MUST_BE}; it is no URL: ${ENCODE}`] : faultsOf(url)
  if (url !== undefined && faults.length === 0) return { url: new SecretText(text), where: describe(url) }
  for (const fault of faults) context.addIssue(fault)
  return z.NEVER
})

function faultsOf(url: URL): readonly string[] {
  if (!/^postgres(ql)?:$/.test(url.protocol)) return [`${MUST_BE}; its scheme is ${url.protocol}//`]
  if (!isEncoded(url)) return [`has a % that begins no code: ${ENCODE}`]
  return FILES.flatMap((name) => {
    const path = url.searchParams.get(name)
    if (path === null) return []
    try {
      readFileSync(path)
      return []
    } catch (error) {
      return [`cannot be used: its ${name} names ${path}, which ${unreadable(error)}`]
    }
  })
}

function isEncoded({ username, password, pathname }: URL): boolean {
  try {
    return [username, password, pathname].map(decodeURIComponent).length > 0
  } catch {
    return false
  }
}

/** A path instead of a host names the folder of a socket. */
function describe({ hostname, port, pathname, searchParams }: URL): string {
  const server = hostname === '' ? (searchParams.get('host') ?? 'localhost') : `${hostname}:${port || 5432}`
  const database = pathname.slice(1)
  return database === '' ? server : `${server}, database ${database}`
}
