import { SECRETS } from '@moorage/inbox/redaction-corpus'
import { TextScanner } from './text-scanner.js'

/** The shortest part of a secret's base64 that is looked for: less could be there by chance. */
const SHORTEST = 7

/** Secrets that have no other one in them: where none of these is, none is. */
const ROOTS = [...new Set(SECRETS.map(({ secret }) => secret))].filter(
  (secret, _, all) => !all.some((other) => other !== secret && secret.includes(other)),
)
const scanner = new TextScanner(ROOTS.flatMap(formsOf))

/** No form of a secret is longer: what is read in pieces has to overlap by so much. */
export const LONGEST_FORM = Math.max(...SECRETS.flatMap(({ secret }) => formsOf(secret)).map((form) => form.length))

/** Any of the secrets, for databases that search by themselves. */
export const CORPUS_PATTERN = ROOTS.flatMap(formsOf)
  .map((form) => form.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
  .join('|')

/** The names of the corpus' entries whose secrets are in these bytes, as they are or in base64. */
export function findCorpus(bytes: Buffer): readonly string[] {
  if (!scanner.isIn(bytes)) return []
  return SECRETS.filter(({ secret }) => formsOf(secret).some((form) => bytes.includes(form))).map(({ name }) => name)
}

/** A secret, and what is sure of its base64 wherever it begins in a file. */
function formsOf(secret: string): readonly string[] {
  const aligned = [0, 1, 2].map((before) => {
    const base64 = Buffer.from('x'.repeat(before) + secret).toString('base64')
    return base64.slice(before === 0 ? 0 : before + 1, Math.floor(((before + secret.length) * 8) / 6))
  })
  return [secret, ...aligned.filter((form) => form.length >= SHORTEST)]
}
