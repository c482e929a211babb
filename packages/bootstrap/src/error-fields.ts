import { cut } from './cut.js'

/** How long a message may be in the log, in characters. */
export const MAX_MESSAGE = 8192

/** How many causes are told. */
const MAX_CAUSES = 10

export interface ErrorFields {
  readonly type: string
  /** With those of its causes. */
  readonly message: string
  /** With those of its causes. */
  readonly stack: string
  readonly [property: string]: unknown
}

/** What the log tells of an error: the fields of pino, without what tsx adds to the names of modules. */
export function errorFields(error: Error): ErrorFields {
  const { cause, errors, ...rest } = error as Error & { readonly errors?: unknown }
  const chain = chainOf(error)
  return {
    ...rest,
    ...(cause !== undefined && !(cause instanceof Error) && { cause }),
    ...(errors !== undefined && { [Array.isArray(errors) ? 'aggregateErrors' : 'errors']: errors }),
    type: typeOf(error),
    message: chain.map(({ message }) => String(message)).join(': '),
    stack: chain.map(stackOf).join('\ncaused by: '),
  }
}

export function typeOf(error: Error): string {
  return String(error.constructor?.name ?? error.name)
}

function chainOf(error: Error): readonly Error[] {
  const chain = new Set<Error>()
  for (let next: unknown = error; next instanceof Error && chain.size <= MAX_CAUSES && !chain.has(next); next = next.cause) chain.add(next)
  return [...chain]
}

/** A stack begins with the message: a long one must not take the place of where it was thrown. */
function stackOf({ message, stack }: Error): string {
  if (typeof stack !== 'string') return ''
  const text = String(message)
  const short = text.length > MAX_MESSAGE ? stack.replace(text, () => cut(text, MAX_MESSAGE)) : stack
  return short.replace(/\?namespace=[\w-]+/g, '')
}
