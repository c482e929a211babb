import { z } from 'zod'
import { isName, NAME_RULE } from './rendezvous.js'

/** A field of a step; the rule goes on from its name. */
function field<Value>(rule: string, holds: (value: unknown) => boolean): z.ZodType<Value> {
  return z.custom<Value>(holds, rule)
}

const text = field<string>('must be a string', (value) => typeof value === 'string')
const words = field<string>('must be a string that is not blank', (value) => typeof value === 'string' && value.trim() !== '')
const name = field<string>(NAME_RULE, (value) => typeof value === 'string' && isName(value))
const artifact = field<string>(
  'must be a string of 1 to 256 characters',
  (value) => typeof value === 'string' && value.length >= 1 && value.length <= 256,
).optional()
const whole = (least: number, most: number) =>
  field<number>(
    `must be an integer from ${least} to ${most}`,
    (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
  )
const yes = field<true>('must be true', (value) => value === true)

/** An hour: as long as a turn may run unless it is configured otherwise. */
const LONGEST_MS = 3_600_000

const WORK = [
  /** Numbered chunks "1 ", "2 " … */
  z.strictObject({ chunks: whole(0, 1_000_000), everyMs: whole(0, LONGEST_MS).optional(), artifact }),
  z.strictObject({ chunk: text, artifact }),
  /** The artifact `bytes`, of so many bytes. */
  z.strictObject({ bytes: whole(1, 104_857_600) }),
  z.strictObject({ status: text }),
  z.strictObject({ sleepMs: whole(0, LONGEST_MS) }),
  /** Waits until the gate is open. */
  z.strictObject({ await: name }),
  /** Notes, inside `turn.step`, the step's key outside the store. */
  z.strictObject({ count: name }),
  /** From here on, what waits does not look at `turn.signal`. */
  z.strictObject({ ignoreAbort: yes }),
  /** Makes a mark beside the gates, to tell a test that the turn is here. */
  z.strictObject({ mark: name }),
  /** Leaves a promise behind that fails. */
  z.strictObject({ stray: text }),
] as const

/** What waits for the client: the next message goes on with the steps that follow. */
const QUESTIONS = [z.strictObject({ ask: text }), z.strictObject({ auth: words })] as const

const ENDS = [
  z.strictObject({ throw: text }),
  z.strictObject({ complete: text }),
  z.strictObject({ fail: text }),
  z.strictObject({ reject: text }),
  /** A Message, where the message is a blocking send that began the task. */
  z.strictObject({ message: text }),
] as const

const stepSchema = z.union([...WORK, ...QUESTIONS, ...ENDS])

export type Step = z.infer<typeof stepSchema>

/** What a message tells the conformance agent to do, step by step. */
export type Script = readonly Step[]

/** The schema of each step, by the field that names it. */
const STEPS = new Map([...WORK, ...QUESTIONS, ...ENDS].map((schema) => [Object.keys(schema.shape)[0] ?? '', schema]))
const END_NAMES = new Set(ENDS.map((schema) => Object.keys(schema.shape)[0] ?? ''))

/** The steps, or a sentence that names the first one which is wrong. */
export function parseScript(value: unknown): { readonly script: Script } | { readonly fault: string } {
  if (!Array.isArray(value)) return { fault: 'script: give a list of steps.' }
  const script: Step[] = []
  for (const [index, step] of value.entries()) {
    const where = `script[${index}]`
    const parsed = parseStep(step)
    if ('fault' in parsed) return { fault: `${where}: ${parsed.fault}` }
    const previous = script.at(-1)
    if (previous && END_NAMES.has(nameOf(previous))) return { fault: `${where}: comes after the end, which is "${nameOf(previous)}".` }
    script.push(parsed.step)
  }
  return { script }
}

function parseStep(step: unknown): { readonly step: Step } | { readonly fault: string } {
  const isObject = typeof step === 'object' && step !== null && !Array.isArray(step)
  const found = (isObject && Object.keys(step).find((key) => STEPS.has(key))) || ''
  const schema = STEPS.get(found)
  if (schema === undefined) return { fault: `is no step; there are ${[...STEPS.keys()].join(', ')}.` }
  const parsed = schema.safeParse(step)
  if (parsed.success) return { step: parsed.data }
  const faults = parsed.error.issues.map((issue) => describeFault(issue, found, Object.keys(schema.shape)))
  return { fault: `${faults.join('; ')}.` }
}

function describeFault(issue: z.core.$ZodIssue, step: string, fields: readonly string[]): string {
  if (issue.code === 'unrecognized_keys') return `"${step}" has no field "${issue.keys.join('", "')}"; there are ${fields.join(', ')}`
  const [wrong = step] = issue.path.map(String)
  return `${wrong}${wrong === step ? '' : ` of "${step}"`} ${issue.message}`
}

function nameOf(step: Step): string {
  return Object.keys(step).find((key) => STEPS.has(key)) ?? ''
}
