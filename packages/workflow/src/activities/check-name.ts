import type { Redactor } from '@moorage/inbox'
import { MisuseError } from './misuse-error.js'

/** What a database can have as a key, in its longest encoding too. */
const LONGEST = 256
const LONGEST_PATH = 600

/**
 * A name that the agent's code gives to an artifact or a step, and that is a key in the store.
 * @throws MisuseError that says what it must be
 */
export function checkName(what: string, name: unknown): void {
  if (typeof name === 'string' && name !== '' && name.length <= LONGEST && !/[\p{Cc}\p{Cs}]/u.test(name)) return
  const given =
    typeof name !== 'string' ? `is of type ${typeof name}` : name.length > LONGEST ? `has ${name.length}` : `is ${JSON.stringify(name)}`
  throw new MisuseError(
    `${what} must be a string of 1 to ${LONGEST} characters, without control characters and halves of pairs; it ${given}`,
  )
}

/** The name of a step inside steps has theirs before it. @throws MisuseError where that is too long together */
export function checkPath(path: string): void {
  if (path.length <= LONGEST_PATH) return
  throw new MisuseError(`turn.step: the names of steps inside each other must have at most ${LONGEST_PATH} characters together`)
}

/** Names are recorded as they are, so they must be none. @throws MisuseError that does not say the name */
export function refuseSecret(what: string, name: string, redactor: Redactor): void {
  if (redactor.isSecret(name)) throw new MisuseError(`${what} looks like a secret, and would be recorded: take another one`)
}
