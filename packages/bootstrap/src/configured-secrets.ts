import { z } from 'zod'
import type { Environment, Variables } from './environment.js'

/** Shorter ones would be found in texts that mean something else. */
const SHORTEST = 6

/** The schema of a list of secrets with commas between them. */
export const secretTexts: z.ZodType<readonly string[], string> = z.string().transform((text, context) => {
  const secrets = text.split(',').map((secret) => secret.trim())
  const short = secrets.findIndex((secret) => secret.length < SHORTEST)
  if (short === -1) return secrets
  context.addIssue(`must be texts of at least ${SHORTEST} characters, with commas between them; entry ${short + 1} is shorter`)
  return z.NEVER
})

/**
 * The texts of an environment that no log and no task may show: the values of every variable that one of the tables, or Temporal, has as a secret, and what
 * is secret in them by itself: the password of a URL, each key of a list, the private members of a JWK.
 */
export function configuredSecrets(env: Environment, ...tables: readonly Variables[]): readonly string[] {
  const names = tables.flatMap((table) =>
    Object.entries(table).flatMap(([name, schema]) => (schema.meta()?.['secret'] === true ? [name] : [])),
  )
  const secrets = [...names, 'TEMPORAL_API_KEY'].flatMap((name) => secretsIn(env[name] ?? ''))
  return [...new Set(secrets)].filter((secret) => secret.length >= SHORTEST)
}

function secretsIn(value: string): readonly string[] {
  const text = value.trim()
  if (text.startsWith('{')) return privateMembers(text)
  if (/^[a-z]+:\/\//i.test(text)) return URL.canParse(text) ? passwordOf(new URL(text)) : []
  return text.split(',').flatMap((entry) => [entry.trim(), entry.slice(entry.indexOf(':') + 1).trim()])
}

/** A password that is the name of the user protects nothing, and would be found everywhere. */
function passwordOf({ username, password }: URL): readonly string[] {
  return password === username ? [] : [password, decodeURIComponent(password)]
}

/** RFC 7518 §6.2.2, §6.3.2, §6.4.1: what of a key is not public. */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']

function privateMembers(text: string): readonly string[] {
  try {
    const { keys } = JSON.parse(text) as { readonly keys: readonly Readonly<Record<string, unknown>>[] }
    return keys.flatMap((key) => PRIVATE_MEMBERS.map((name) => String(key[name] ?? '')))
  } catch {
    // What is no key set stops the start by itself.
    return []
  }
}
