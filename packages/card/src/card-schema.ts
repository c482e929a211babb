import { z } from 'zod'
import { addressFault } from './interface-path.js'
import { RESERVED_TENANTS } from './reserved-tenants.js'
import { SECURITY_FIELDS } from './security-schema.js'
import { insteadOf, wantsCard, wantsFlag, wantsList, wantsObject, wantsText } from './wanted.js'

/** What a card may claim beyond what every server of Moorage does: for whoever puts the part that does it beside the harness. */
export interface AllowedClaims {
  /** @default false */
  readonly pushNotifications?: boolean
  /** @default false */
  readonly extendedAgentCard?: boolean
  /** URIs of the extensions that are done. @default none */
  readonly extensions?: readonly string[]
}

const text = z.string({ error: wantsText }).regex(/\S/, { error: 'This text is empty; give one.' })

function list<Item extends z.ZodType>(item: Item) {
  return z.array(item, { error: wantsList })
}

/** Names a claim that is not served, or just says what to give where no text was given. */
function refusedClaim(claim: string, instead: string) {
  return ({ input }: { input?: unknown }): string => {
    if (typeof input !== 'string') return `${insteadOf('a text', input)}; give ${instead}.`
    return `The card claims the ${claim} ${JSON.stringify(input)}, which this server does not speak; give ${instead}.`
  }
}

const link = text.refine((url) => URL.canParse(url) && /^https?:/i.test(url), {
  error: 'This is no absolute http or https URL; give one such as https://example.com.',
})
const image = text.refine((url) => URL.canParse(url) && /^(?:https?|data):/i.test(url), {
  error: 'This is no absolute http, https or data URL; give one such as https://example.com/icon.png.',
})
const modes = list(text.regex(/^[^\s/;,]+\/[^\s/;,]+(?:;.*)?$/, { error: 'This is no media type; give one such as text/plain.' })).min(1, {
  error: 'The list is empty; give at least one media type, or leave the field out.',
})

const yesOrNo = z.boolean({ error: wantsFlag })

/** A flag that stands for something only some servers do: for the others it can be declared as false alone. */
function claimed(claim: string, isAllowed = false) {
  return yesOrNo.refine((value) => !value || isAllowed, {
    error: `The card claims ${claim}, which this server does not do; leave it out, or set it to false.`,
  })
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

/** A list or a map that stands for something this server does not do: it can be declared empty alone. */
function undeclared(claim: string) {
  return z.unknown().refine(isEmpty, { error: `The card claims ${claim}, which this server does not do; leave it out.` })
}

const ofVersion03 = z.never({
  error:
    'This field is of A2A 0.3, whose card is made from this one; leave it out, and give supportedInterfaces one with the protocolVersion "0.3" where 0.3 is to be served.',
})

const BINDINGS = ['JSONRPC', 'HTTP+JSON'] as const
const VERSIONS = ['1.0', '0.3'] as const

/** What an identifier may have in a request. */
const LONGEST_TENANT = 256

const agentInterface = z
  .strictObject(
    {
      url: text.superRefine((url, context) => {
        const message = addressFault(url)
        if (message !== undefined) context.addIssue({ code: 'custom', message })
      }),
      protocolBinding: z.enum(BINDINGS, { error: refusedClaim('binding', 'JSONRPC or HTTP+JSON') }),
      protocolVersion: z.enum(VERSIONS, { error: refusedClaim('protocol version', '"1.0" in quotes, or "0.3"') }),
      tenant: text
        .regex(/^[A-Za-z0-9._~-]+$/, {
          error: 'The tenant has a character that a path cannot have; use letters, digits, ".", "_", "~" and "-" alone.',
        })
        .max(LONGEST_TENANT, { error: `Requests can name a tenant of at most ${LONGEST_TENANT} characters; take a shorter one.` })
        .refine((tenant) => !/^\.{1,2}$/.test(tenant), {
          error: 'URLs step over . and .. in a path; take another tenant.',
        })
        .refine((tenant) => !RESERVED_TENANTS.includes(tenant), {
          error: `In a path, this tenant would be taken for something else; take another one than ${RESERVED_TENANTS.join(', ')}.`,
        })
        .exactOptional(),
    },
    { error: wantsObject('url, protocolBinding, protocolVersion') },
  )
  .superRefine(({ protocolVersion, tenant }, context) => {
    if (protocolVersion !== '0.3' || tenant === undefined) return
    context.addIssue({ code: 'custom', path: ['tenant'], message: 'A2A 0.3 has no tenants; leave it out.' })
  })

const supportedInterfaces = list(agentInterface)
  .min(1, { error: 'The list is empty; give at least one interface, or leave the field out.' })
  .refine((all) => all.length === 0 || all.some(({ protocolVersion }) => protocolVersion === '1.0'), {
    error: 'No interface is of A2A 1.0, which is always served; give one whose protocolVersion is "1.0" beside those of 0.3.',
  })

function extension(allowed: readonly string[] = []) {
  const fields = {
    uri: text.refine((uri) => allowed.includes(uri), {
      error: ({ input }) => `The card claims the extension ${JSON.stringify(input)}, which this server does not do; leave it out.`,
    }),
    description: text.exactOptional(),
    required: yesOrNo.exactOptional(),
    params: z.record(z.string(), z.json(), { error: wantsObject('the parameters of the extension') }).exactOptional(),
  }
  return z.strictObject(fields, { error: wantsObject('uri, description, required, params') })
}

function capabilities(allow: AllowedClaims) {
  const fields = {
    streaming: yesOrNo.exactOptional(),
    pushNotifications: claimed('push notifications', allow.pushNotifications).exactOptional(),
    extendedAgentCard: claimed('an extended agent card', allow.extendedAgentCard).exactOptional(),
    extensions: list(extension(allow.extensions)).exactOptional(),
    stateTransitionHistory: ofVersion03.exactOptional(),
  }
  return z.strictObject(fields, { error: wantsObject('streaming') })
}

const skill = z.strictObject(
  {
    id: text,
    name: text,
    description: text,
    tags: list(text).default([]),
    examples: list(text).exactOptional(),
    inputModes: modes.exactOptional(),
    outputModes: modes.exactOptional(),
    securityRequirements: undeclared('security requirements').exactOptional(),
  },
  { error: wantsObject('id, name, description, tags') },
)

const skills = list(skill).superRefine((all, context) => {
  for (const [index, { id }] of all.entries()) {
    if (all.findIndex((other) => other.id === id) === index) continue
    context.addIssue({
      code: 'custom',
      path: [index, 'id'],
      message: `The id ${JSON.stringify(id)} is another skill's; give each skill an id of its own.`,
    })
  }
})

/** A card as its author writes it (A2A §4.4.1): all fields can be left out, none can be unknown, and nothing claimed that is not served or allowed. */
export function cardSchema(allow: AllowedClaims = {}) {
  const fields = {
    name: text.exactOptional(),
    description: text.exactOptional(),
    version: text.exactOptional(),
    supportedInterfaces: supportedInterfaces.exactOptional(),
    capabilities: capabilities(allow).exactOptional(),
    defaultInputModes: modes.exactOptional(),
    defaultOutputModes: modes.exactOptional(),
    skills: skills.exactOptional(),
    provider: z.strictObject({ url: link, organization: text }, { error: wantsObject('url, organization') }).exactOptional(),
    documentationUrl: link.exactOptional(),
    iconUrl: image.exactOptional(),
    ...SECURITY_FIELDS,
    signatures: undeclared('signatures').exactOptional(),
    url: ofVersion03.exactOptional(),
    protocolVersion: ofVersion03.exactOptional(),
    preferredTransport: ofVersion03.exactOptional(),
    additionalInterfaces: ofVersion03.exactOptional(),
    security: ofVersion03.exactOptional(),
    supportsAuthenticatedExtendedCard: ofVersion03.exactOptional(),
  }
  return z.strictObject(fields, { error: wantsCard })
}

export type DeclaredCard = z.output<ReturnType<typeof cardSchema>>
