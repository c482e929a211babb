import { ConfigError } from './config-error.js'
import { seconds } from './describe-runs.js'

/** What to do about a refusal, by the SQLSTATE or the words of it; the first that matches counts. */
const REMEDIES: readonly (readonly [refusal: RegExp, remedy: string])[] = [
  [/^28P01|password authentication failed/, 'correct user and password in the URL'],
  [/^3D000/, 'create it, or name another one'],
  [/no pg_hba\.conf entry.*no encryption/, 'add sslmode=require to the URL, or let this machine in there, in pg_hba.conf'],
  [/no pg_hba\.conf entry/, 'let this machine in there, in pg_hba.conf'],
  [/does not support SSL/, 'set sslmode=disable, or turn TLS on there'],
  [/error establishing an SSL connection/, 'is that a Postgres? Correct host and port, or set sslmode=disable'],
  [/certificate/i, 'name the certificate of its authority as sslrootcert, and its host as the certificate does'],
]

/** What a silent host, a firewall, and a program that is no Postgres have in common: all of it looks like a server that is busy. */
const SILENCE = /time[d ]*out|beyond the deadline|no answer|terminated/i

/** Why a Postgres did not answer an attempt of `tookMs`, in words that end a sentence, and without what the URL keeps secret. */
export function describeSilence(error: unknown, url: string, tookMs: number): string {
  const reason = plainReason(error, url)
  const cause = error instanceof Error ? error.cause : undefined
  // What a server, or a pooler before it, says has a severity: it may speak of time, and is an answer all the same.
  const isAnswer = cause instanceof Error && 'severity' in cause
  const isSilent = cause === undefined || (!isAnswer && SILENCE.test(reason))
  return isSilent ? `no answer within ${seconds(Math.round(tookMs / 1000) * 1000)}: check host, port and firewall` : reason
}

/** What no repetition cures: the URL, or the database itself, has to be changed. */
export function describeRefusal(error: unknown, where: string, url: string): ConfigError {
  const reason = plainReason(error, url)
  const ofUrl = error instanceof TypeError ? /^url (.*)/.exec(reason)?.[1] : undefined
  if (ofUrl !== undefined) return new ConfigError([`DATABASE_URL ${ofUrl}`], { cause: error })
  const plain = reason.replace(/^Cannot open the database \S+ of the url: /, '')
  const remedy = REMEDIES.find(([refusal]) => refusal.test(`${codeOf(error)} ${plain}`))?.[1]
  const what = remedy === undefined ? plain : `${plain}; ${remedy}`
  return new ConfigError([`DATABASE_URL: Postgres at ${where} cannot be used: ${what}`], { cause: error })
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && 'code' in cause ? String(cause.code) : ''
}

/** In one line, and without what the URL keeps secret. */
function plainReason(error: unknown, url: string): string {
  const { password } = new URL(url)
  const text = (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').replace(/\.$/, '')
  return [url, password, decodeURIComponent(password)].reduce(
    (plain, secret) => (secret === '' ? plain : plain.replaceAll(secret, '…')),
    text,
  )
}
