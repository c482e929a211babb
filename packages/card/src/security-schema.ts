import { z } from 'zod'
import { insteadOf, type Refusal, wantsFlag, wantsList, wantsObject, wantsText } from './wanted.js'

const text = z.string({ error: wantsText }).regex(/\S/, { error: 'This text is empty; give one.' })
const description = text.exactOptional()

const link = text.refine((url) => URL.canParse(url) && /^https?:/i.test(url), {
  error: 'This is no absolute http or https URL; give one such as https://login.example.com.',
})

/** What a card calls a scheme; OpenAPI takes the same names. */
const NAME = /^[A-Za-z][\w.-]*$/

/** Exactly one of several fields: a oneof of a2a.proto. */
function oneOf<Fields extends Readonly<Record<string, z.ZodType>>>(what: string, fields: Fields) {
  const names = Object.keys(fields).join(', ')
  return z.strictObject(fields, { error: wantsObject(`one of ${names}`) }).superRefine((given, context) => {
    const count = Object.keys(given).length
    if (count === 1) return
    const message = `${what} is of one kind, and this one is of ${count === 0 ? 'none' : count}; give exactly one of ${names}.`
    context.addIssue({ code: 'custom', message })
  })
}

const apiKey = z.strictObject(
  {
    description,
    location: z.enum(['header', 'query', 'cookie'], {
      error: ({ input }: Refusal) => `${insteadOf('a place that a key can be in', input)}; give header, query or cookie.`,
    }),
    name: text,
  },
  { error: wantsObject('location, name') },
)

const httpAuth = z.strictObject({ description, scheme: text, bearerFormat: text.exactOptional() }, { error: wantsObject('scheme') })

const scopes = z.record(z.string(), z.string({ error: wantsText }), {
  error: wantsObject('what each scope allows, by its name; {} for none'),
})

function flow<Fields extends Readonly<Record<string, z.ZodType>>>(fields: Fields) {
  const names = [...Object.keys(fields), 'scopes'].join(', ')
  return z.strictObject({ ...fields, refreshUrl: link.exactOptional(), scopes }, { error: wantsObject(names) }).exactOptional()
}

const flows = oneOf('OAuth', {
  authorizationCode: z
    .strictObject(
      {
        authorizationUrl: link,
        tokenUrl: link,
        refreshUrl: link.exactOptional(),
        scopes,
        pkceRequired: z.boolean({ error: wantsFlag }).exactOptional(),
      },
      { error: wantsObject('authorizationUrl, tokenUrl, scopes') },
    )
    .exactOptional(),
  clientCredentials: flow({ tokenUrl: link }),
  deviceCode: flow({ deviceAuthorizationUrl: link, tokenUrl: link }),
  implicit: flow({ authorizationUrl: link }),
  password: flow({ tokenUrl: link }),
})

const scheme = oneOf('A security scheme', {
  apiKeySecurityScheme: apiKey.exactOptional(),
  httpAuthSecurityScheme: httpAuth.exactOptional(),
  oauth2SecurityScheme: z
    .strictObject({ description, flows, oauth2MetadataUrl: link.exactOptional() }, { error: wantsObject('flows') })
    .exactOptional(),
  openIdConnectSecurityScheme: z
    .strictObject({ description, openIdConnectUrl: link }, { error: wantsObject('openIdConnectUrl') })
    .exactOptional(),
  mtlsSecurityScheme: z.strictObject({ description }, { error: wantsObject('description, or {} for none') }).exactOptional(),
})

const securitySchemes = z
  .record(z.string(), scheme, { error: wantsObject('a security scheme by each name') })
  .superRefine((schemes, context) => {
    for (const name of Object.keys(schemes).filter((given) => !NAME.test(given))) {
      const message = 'This is no name for a scheme; begin with a letter, and use letters, digits, ".", "_" and "-" alone.'
      context.addIssue({ code: 'custom', path: [name], message })
    }
  })

const scopesAsked = z.strictObject(
  { list: z.array(text, { error: wantsList }).exactOptional() },
  { error: wantsObject('list, the scopes that are needed; {} for none') },
)

const requirement = z.strictObject(
  { schemes: z.record(z.string(), scopesAsked, { error: wantsObject('the names of the schemes that are needed together') }) },
  { error: wantsObject('schemes') },
)

/** What a card says of its callers (A2A §4.5, §7.4), of which kind the schemes may be and what they have. */
export const SECURITY_FIELDS = {
  securitySchemes: securitySchemes.exactOptional(),
  securityRequirements: z.array(requirement, { error: wantsList }).exactOptional(),
} as const

/** The same two fields of a card whose others may be wrong. */
export const securityOfCard = z.object(SECURITY_FIELDS)
