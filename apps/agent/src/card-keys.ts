import { type CardKey, CardKeyError, parseCardKeys } from '@moorage/card'
import { z } from 'zod'

const FORM = 'must be a JWK set of private keys, as JSON: {"keys":[…]}'

/** The schema of MOORAGE_CARD_KEYS; its messages show the names of keys and nothing else of them. */
export const cardKeys: z.ZodType<readonly CardKey[], string> = z.string().transform((text, context) => {
  try {
    return parseCardKeys(JSON.parse(text))
  } catch (error) {
    for (const fault of faultsOf(error)) context.addIssue(`${FORM}; ${fault}`)
    return z.NEVER
  }
})

/** The message of a syntax error would quote the text. */
function faultsOf(error: unknown): readonly string[] {
  if (error instanceof SyntaxError) return ['it is no JSON; give the set itself, not the path of its file']
  if (!(error instanceof CardKeyError)) throw error
  return error.faults.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`))
}
