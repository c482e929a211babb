import { SECRET_NAME } from './secret-names.js'

type Groups = Readonly<Record<string, string | undefined>>

/**
 * How a kind of secret looks: what is put out of sight is the pattern's group `secret`. Every pattern takes linear time: it begins at a boundary that no
 * other try begins in, and what repeats without a bound has no other way to match.
 */
export interface Shape {
  readonly pattern: RegExp
  /** Whether a match is none after all. @default every match is one */
  readonly isInnocent?: (groups: Groups) => boolean
  /** Matches where a text ends in a secret that may go on: its group `secret` is what must not be given out yet. */
  readonly open: RegExp
}

const hasDigit = (text: string) => /\d/.test(text)
/** Long, or with a digit: a word of prose is neither. */
const looksRandom = (text: string) => text.length >= 24 || hasDigit(text)

const KEY_NAME = '(?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----'

/** In a file, or in one line with its breaks escaped; it may be cut off before its end. */
const KEY_BODY = '(?:(?!-----END )[\\w+/=\\s\\\\:,.-])*'

const PRIVATE_KEY: Shape = {
  pattern: new RegExp(`(?<secret>-----BEGIN ${KEY_NAME}${KEY_BODY}(?:-----END ${KEY_NAME})?)`, 'dg'),
  open: new RegExp(`(?<secret>-----BEGIN ${KEY_NAME}${KEY_BODY}(?:-----END [A-Z0-9 ]*-{0,4})?)$`, 'd'),
}

/** Header and payload of a JWT begin with `{"`, in base64url `eyJ`. */
const JWT: Shape = {
  pattern: /(?<![\w-])(?<secret>eyJ[\w-]{5,}\.[\w-]{8,}(?:\.[\w-]*){0,3})/dg,
  open: /(?<![\w-])(?<secret>eyJ[\w.-]*)$/d,
}

/** Keys of well-known vendors, which have a prefix of their own. */
const VENDOR: Shape = {
  pattern:
    /(?<![\w-])(?<secret>[spr]k[-_][\w-]{8,}|gh[opsur]_\w{16,}|github_pat_\w{16,}|gl(?:pat|ptt|dt)-[\w-]{16,}|xox[a-z]-[\w-]{10,}|xapp-[\w-]{10,}|(?:AKIA|ASIA)[A-Z0-9]{16}(?![\w-])|AIza[\w-]{30,}|npm_\w{30,}|hf_\w{20,}|SG\.[\w-]{16,}\.[\w-]{16,}|dop_v1_\w{32,}|pypi-[\w-]{32,}|whsec_\w{16,}|hvs\.[\w-]{16,}|ya29\.[\w-]{16,}|GOCSPX-[\w-]{16,}|AGE-SECRET-KEY-1\w{16,})/dg,
  isInnocent: ({ secret = '' }) => !hasDigit(secret),
  open: /(?<![\w-])(?<secret>(?:[spr]k[-_]|gh[opsur]_|github_pat_|gl(?:pat|ptt|dt)-|xox[a-z]-|xapp-|AKIA|ASIA|AIza|npm_|hf_|dop_v1_|pypi-|whsec_|GOCSPX-|AGE-SECRET-KEY-)[\w-]*|(?:SG|hvs|ya29)\.[\w.-]*)$/d,
}

const SCHEME: Shape = {
  pattern: /(?<![\w-])(?:bearer|basic)\s{1,8}(?<secret>[\w.~+/=-]{8,})/dgi,
  isInnocent: ({ secret = '' }) => !looksRandom(secret),
  open: /(?<![\w-])(?:bearer|basic)\s{1,8}(?<secret>[\w.~+/=-]*)$/di,
}

const AUTHORIZATION: Shape = {
  pattern:
    /(?<!\w)authorization\\{0,31}["']?\s{0,4}[:=]\s{0,4}\\{0,31}["']?(?<scheme>[A-Za-z-]{1,20}\s{1,4})?(?<secret>[^\s"',;\\[\]]{4,})/dgi,
  isInnocent: ({ scheme, secret = '' }) => scheme === undefined && !looksRandom(secret),
  open: /(?<!\w)authorization\\{0,31}["']?\s{0,4}[:=]\s{0,4}\\{0,31}["']?(?:[A-Za-z-]{1,20}\s{1,4})?(?<secret>[^\s"',;\\[\]]*)$/di,
}

/** `scheme://user:password@host`, up to the last `@`, since passwords have some too; `git@host` and `scheme://user@host` are no secrets. */
const USER_INFO: Shape = {
  pattern: /(?<![\w+.-])[a-z][a-z0-9+.-]{1,20}:\/\/(?<secret>[^\s/@:?#"']{0,256}:(?!\[redacted\])[^\s/?#"']{1,256})@/dgi,
  open: /(?<![\w+.-])[a-z][a-z0-9+.-]{1,20}:\/\/(?<secret>[^\s/?#"']{0,513})$/di,
}

/** Signatures in URLs, which open what they name. */
const SIGNED_URL: Shape = {
  pattern: /[?&](?:x-amz-signature|x-amz-security-token|x-goog-signature|sig|signature|code|key)=(?<secret>[^&\s#"'[\]]{16,})/dgi,
  open: /[?&](?:x-amz-signature|x-amz-security-token|x-goog-signature|sig|signature|code|key)=(?<secret>[^&\s#"'[\]]*)$/di,
}

const NAME = `(?<name>${SECRET_NAME})\\\\{0,31}["']?\\s{0,4}(?<sign>=>|:|=(?!=))\\s{0,4}`

/** What can be in quotes that are not escaped themselves, and in those that are. */
const QUOTED = (least: number) =>
  `(?<=(?<!\\\\)")(?:[^"\\\\]|\\\\[^]){${least},2048}|(?<=\\\\")[^"\\\\]{${least},4096}|(?<=')[^']{${least},4096}`
const PLAIN = (least: number) => `(?<!["'])[^\\s"'\\\\&,;<>(){}[\\]]{${least},4096}`

const NAMED: Shape = {
  pattern: new RegExp(`${NAME}(?<quote>\\\\{0,31}["'])?(?!\\[redacted\\])(?<secret>${QUOTED(1)}|${PLAIN(1)})`, 'dgi'),
  isInnocent: isInnocentValue,
  open: new RegExp(`${NAME}(?:\\\\{0,31}["'])?(?<secret>${QUOTED(0)}|${PLAIN(0)})$`, 'di'),
}

/** `--token abc123`, as on a command line. */
const FLAG: Shape = {
  pattern: new RegExp(`(?<![\\w-])--?(?:\\w{1,32}-){0,3}${SECRET_NAME}\\s{1,4}["']?(?<secret>[^\\s"'[\\]-][^\\s"'[\\]]{3,4096})`, 'dgi'),
  isInnocent: ({ secret = '' }) => !looksRandom(secret),
  open: new RegExp(`(?<![\\w-])--?(?:\\w{1,32}-){0,3}${SECRET_NAME}\\s{1,4}["']?(?<secret>[^\\s"'[\\]]{0,4096})$`, 'di'),
}

const COOKIE: Shape = {
  pattern: /(?<!\w)(?:set-)?cookie\\{0,31}["']?\s{0,4}:\s{0,4}\\{0,31}["']?(?<secret>[\w.-]{1,256}=[^\r\n"'\\[\]]{1,4096})/dgi,
  open: /(?<!\w)(?:set-)?cookie\\{0,31}["']?\s{0,4}:\s{0,4}\\{0,31}["']?(?<secret>[^\r\n"'\\[\]]{0,4096})$/di,
}

/** URLs that are secrets by their path, and the tokens of bots. */
const HOOK: Shape = {
  pattern: /(?<=hooks\.slack\.com\/(?:services|workflows)\/|discord(?:app)?\.com\/api\/webhooks\/\d{1,32}\/)(?<secret>[\w/-]{16,256})/dg,
  open: /(?<=hooks\.slack\.com\/(?:services|workflows)\/|discord(?:app)?\.com\/api\/webhooks\/\d{1,32}\/)(?<secret>[\w/-]{0,256})$/d,
}

/** What stands after a name in code, and is no value of it yet. */
const IN_CODE = /^(?:null|none|nil|undefined|true|false|await|new|string|process\.env\.\w{1,64}|os\.environ)$/i

/** After `=` or in quotes a value is one; after a colon there may be prose, and after the name `token` a number that counts something. */
function isInnocentValue({ name = '', sign, quote, secret = '' }: Groups): boolean {
  if (/token$/i.test(name) && /^\d{1,9}$/.test(secret)) return true
  if (quote === undefined && (sign === '=>' || IN_CODE.test(secret))) return true
  if (sign !== ':' || quote !== undefined) return false
  return secret.length < 6 || /^[A-Za-z.!?-]*$/.test(secret)
}

export const SHAPES: readonly Shape[] = [PRIVATE_KEY, JWT, VENDOR, SCHEME, AUTHORIZATION, USER_INFO, SIGNED_URL, NAMED, FLAG, COOKIE, HOOK]
