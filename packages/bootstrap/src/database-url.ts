import { z } from 'zod'
import { SecretText } from './secret-text.js'

/** Where a Postgres is. */
export interface DatabaseUrl {
  readonly url: SecretText
  /** Host, port and database, for messages. */
  readonly where: string
}

const EXAMPLE = 'postgres://user:password@db.example:5432/moorage'

/** The schema of DATABASE_URL; its messages show nothing of the URL but its scheme. */
export const databaseUrl: z.ZodType<DatabaseUrl, string> = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol === 'postgres:' || url?.protocol === 'postgresql:') return { url: new SecretText(text), where: describe(url) }
  const found = url === undefined ? 'it is no URL' : `its scheme is ${url.protocol}//`
  context.addIssue(`must be a postgres:// or postgresql:// URL, such as ${EXAMPLE}; ${found}`)
  return z.NEVER
})

/** A path instead of a host names the folder of a socket. */
function describe({ hostname, port, pathname, searchParams }: URL): string {
  const server = hostname === '' ? (searchParams.get('host') ?? 'localhost') : `${hostname}:${port || 5432}`
  const database = pathname.slice(1)
  return database === '' ? server : `${server}, database ${database}`
}
