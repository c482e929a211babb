/** What an option must be, as a sentence that goes on from "must", and whether a value is that. */
export interface Rule {
  readonly must: string
  readonly holds: (value: unknown) => boolean
}

/** The rule of each option by its name. */
export type Rules<Options> = Readonly<Record<keyof Options & string, Rule>>

/** The longest time that a timer takes, in milliseconds. */
const LONGEST = 2_147_483_647

export const GIVEN: Rule = { must: 'be given', holds: isObject }
export const OBJECT: Rule = { must: 'be an object', holds: isObject }
export const FLAG: Rule = { must: 'be true or false', holds: (value) => typeof value === 'boolean' }
export const TEXT: Rule = { must: 'be a string', holds: (value) => typeof value === 'string' }
export const FUNCTION: Rule = { must: 'be a function', holds: (value) => typeof value === 'function' }

/** @param most the longest time that a timer takes, unless it says otherwise */
export function integer(least: number, most = LONGEST): Rule {
  return {
    must: `be an integer from ${least} to ${most}`,
    holds: (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
  }
}

export function oneOf(...values: readonly string[]): Rule {
  return { must: `be ${values.map((value) => `'${value}'`).join(' or ')}`, holds: (value) => values.some((known) => known === value) }
}

/**
 * @param where what the option's name goes on from, such as `createHarness: `
 * @throws TypeError that names an option which is not as its rule says; one that is undefined is not given
 */
export function requireRules(where: string, rules: Readonly<Record<string, Rule>>, options: object): void {
  for (const [name, { must, holds }] of Object.entries(rules)) {
    const value: unknown = Reflect.get(options, name)
    if (value !== undefined && !holds(value)) throw new TypeError(`${where}${name} must ${must}`)
  }
}

/** @throws TypeError that names an option which has no rule: it would be without effect in silence */
export function refuseUnknown(caller: string, prefix: string, rules: Readonly<Record<string, Rule>>, options: object): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(rules, name))
  if (unknown === undefined) return
  const known = Object.keys(rules).map((name) => `${prefix}${name}`)
  throw new TypeError(`${caller}: ${prefix}${unknown} is no option; there are ${known.join(', ')}`)
}

/** All that a function's options have to be. @throws TypeError that names the one which is unknown, missing or wrong */
export function checkOptions<Name extends string>(
  caller: string,
  rules: Readonly<Record<Name, Rule>>,
  required: readonly Name[],
  given: object | null | undefined,
): void {
  const options = given ?? {}
  refuseUnknown(caller, '', rules, options)
  for (const name of required) {
    if (Reflect.get(options, name) === undefined) throw new TypeError(`${caller}: ${name} must ${rules[name].must}`)
  }
  requireRules(`${caller}: `, rules, options)
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
