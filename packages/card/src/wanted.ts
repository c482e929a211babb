/** What zod tells a schema's error function. */
export interface Refusal {
  readonly input?: unknown
  readonly code?: string
}

/** What a value is, to the author of a card: YAML's reading of a text often comes as a surprise. */
function kindOf(input: unknown): string {
  if (Array.isArray(input)) return 'a list'
  if (typeof input === 'string') return 'a text'
  if (typeof input === 'number') return 'a number'
  return typeof input === 'boolean' ? 'true or false' : 'an object'
}

/** The first half of a fault where another kind of value is wanted. */
export function insteadOf(wanted: string, input: unknown): string {
  if (input === undefined) return 'This field is missing'
  if (input === null) return 'Nothing stands here'
  return `This is ${kindOf(input)}, not ${wanted}`
}

export function wantsText({ input }: Refusal): string {
  return `${insteadOf('a text', input)}; ${textRemedy(input)}.`
}

function textRemedy(input: unknown): string {
  if (typeof input === 'number' || typeof input === 'boolean') return 'put it in quotes'
  return typeof input === 'object' && input !== null ? 'give a text, in quotes where it begins with [ or {' : 'give a text'
}

export function wantsFlag({ input }: Refusal): string {
  return `${insteadOf('true or false', input)}; give true or false, without quotes.`
}

export function wantsList({ input }: Refusal): string {
  return `${insteadOf('a list', input)}; give a list: in YAML, each item on a line of its own, after a dash and a space.`
}

/** Says what is wanted in place of an object. Fields that are not known are another matter: undefined. */
export function wantsObject(content: string): (refusal: Refusal) => string | undefined {
  return ({ input, code }) => {
    if (code !== 'invalid_type') return undefined
    return `${insteadOf('an object', input)}; ${input === null ? 'indent the fields that belong here' : 'give an object'}: ${content}.`
  }
}

export function wantsCard({ input, code }: Refusal): string | undefined {
  if (code !== 'invalid_type') return undefined
  return `${insteadOf('an object', input)}; give the fields of an AgentCard, such as name and description.`
}
