import type { AgentCardJson } from '@moorage/protocol'
import { defineAuthenticator } from '../authentication/authenticator.js'

const SCHEMES = { test: { httpAuthSecurityScheme: { scheme: 'Test' } } } as const

/** Knows everybody by what they say: `Authorization: Test subject@tenant`. */
export const testAuthenticator = defineAuthenticator({
  schemes: SCHEMES,
  authenticate({ headers }) {
    const [, subject, tenant = ''] = /^Test ([^@]+)(?:@(.+))?$/.exec(headers.get('Authorization') ?? '') ?? []
    return subject === undefined ? undefined : { subject, tenant }
  },
})

/** The same card for a server that authenticates by `testAuthenticator`. */
export function forTestCallers(card: AgentCardJson): AgentCardJson {
  return { ...card, securitySchemes: SCHEMES, securityRequirements: [{ schemes: { test: {} } }] }
}

/** The headers of an authenticated caller. */
export function caller(subject: string, tenant = ''): Readonly<Record<string, string>> {
  return { Authorization: `Test ${subject}${tenant && `@${tenant}`}` }
}
