import { z } from 'zod'
import { addressFault } from './interface-path.js'
import { insteadOf, wantsCard, wantsFlag, wantsList, wantsObject, wantsText } from './wanted.js'

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

/** A flag that stands for something this server does not do: it can be declared as false alone. */
function unclaimed(claim: string) {
  return yesOrNo.refine((value) => !value, {
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
    'The card claims A2A 0.3 by this field, and this server speaks 1.0; leave it out, and declare supportedInterfaces where the defaults do not fit.',
})

const BINDINGS = ['JSONRPC', 'HTTP+JSON'] as const

/** Names that a tenant in a path would be taken for. */
const RESERVED_TENANTS = ['v1', 'tasks', 'message:send', 'message:stream', 'a2a', 'ui', 'extendedAgentCard']

const agentInterface = z.strictObject(
  {
    url: text.superRefine((url, context) => {
      const message = addressFault(url)
      if (message !== undefined) context.addIssue({ code: 'custom', message })
    }),
    protocolBinding: z.enum(BINDINGS, { error: refusedClaim('binding', 'JSONRPC or HTTP+JSON') }),
    protocolVersion: z.literal('1.0', { error: refusedClaim('protocol version', '"1.0" in quotes') }),
    tenant: text
      .regex(/^[A-Za-z0-9._~-]+$/, {
        error: 'The tenant has a character that a path cannot have; use letters, digits, ".", "_", "~" and "-" alone.',
      })
      .refine((tenant) => !RESERVED_TENANTS.includes(tenant), {
        error: `In a path, this tenant would be taken for something else; take another one than ${RESERVED_TENANTS.join(', ')}.`,
      })
      .exactOptional(),
  },
  { error: wantsObject('url, protocolBinding, protocolVersion') },
)

const extension = z.unknown().superRefine((value, context) => {
  const uri: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'uri') : value
  context.addIssue({
    code: 'custom',
    message: `The card claims the extension ${JSON.stringify(uri)}, which this server does not do; leave it out.`,
  })
})

const capabilities = z.strictObject(
  {
    streaming: yesOrNo.exactOptional(),
    pushNotifications: unclaimed('push notifications').exactOptional(),
    extendedAgentCard: unclaimed('an extended agent card').exactOptional(),
    extensions: list(extension).exactOptional(),
    stateTransitionHistory: ofVersion03.exactOptional(),
  },
  { error: wantsObject('streaming') },
)

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

/** A card as its author writes it (A2A §4.4.1): all fields can be left out, none can be unknown, and nothing claimed that is not served. */
export const cardSchema = z.strictObject(
  {
    name: text.exactOptional(),
    description: text.exactOptional(),
    version: text.exactOptional(),
    supportedInterfaces: list(agentInterface)
      .min(1, { error: 'The list is empty; give at least one interface, or leave the field out.' })
      .exactOptional(),
    capabilities: capabilities.exactOptional(),
    defaultInputModes: modes.exactOptional(),
    defaultOutputModes: modes.exactOptional(),
    skills: skills.exactOptional(),
    provider: z.strictObject({ url: link, organization: text }, { error: wantsObject('url, organization') }).exactOptional(),
    documentationUrl: link.exactOptional(),
    iconUrl: image.exactOptional(),
    securitySchemes: undeclared('security schemes').exactOptional(),
    securityRequirements: undeclared('security requirements').exactOptional(),
    signatures: undeclared('signatures').exactOptional(),
    url: ofVersion03.exactOptional(),
    protocolVersion: ofVersion03.exactOptional(),
    preferredTransport: ofVersion03.exactOptional(),
    additionalInterfaces: ofVersion03.exactOptional(),
    security: ofVersion03.exactOptional(),
    supportsAuthenticatedExtendedCard: ofVersion03.exactOptional(),
  },
  { error: wantsCard },
)

export type DeclaredCard = z.output<typeof cardSchema>
