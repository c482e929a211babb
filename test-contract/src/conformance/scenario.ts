import type { Binding, Surface } from './manifest/requirement.js'
import { BOTH } from './manifest/requirement.js'
import type { Profile } from './servers/profile.js'
import type { WireClient } from './wire/wire-client.js'

/** What a scenario works with: a server, and clients that share no code with it. */
export interface ScenarioContext {
  /** Where the server is, without a slash at its end. */
  readonly url: string
  readonly binding: Binding
  /** Over this binding. */
  readonly client: WireClient
  /** Over the other binding: reads what `client` made. */
  readonly other: WireClient
  /** As the public kit talks: see kit/kit-client.ts. */
  readonly kit: WireClient
  /** Lets every turn go on that awaits the gate. */
  open(gate: string): Promise<void>
}

interface ScenarioOptions {
  /** The server it needs. @default 'tck' */
  readonly profile?: Profile
  /** Where it runs. @default both bindings */
  readonly on?: readonly Surface[]
}

type Run = (context: ScenarioContext) => Promise<void>

export interface Scenario {
  readonly name: string
  /** Ids of requirements, and of the public kit's where it sends the kit's own input. */
  readonly ids: readonly string[]
  readonly profile: Profile
  readonly on: readonly Surface[]
  readonly run: Run
}

const registered: Scenario[] = []

/** All scenarios of the modules that have been imported. */
export function scenarios(): readonly Scenario[] {
  return registered
}

/** Registers a scenario, which runs once on each surface; it cites what it shows there. */
export function scenario(name: string, ids: readonly string[], run: Run): void
export function scenario(name: string, ids: readonly string[], options: ScenarioOptions, run: Run): void
export function scenario(name: string, ids: readonly string[], optionsOrRun: ScenarioOptions | Run, maybeRun?: Run): void {
  const options = typeof optionsOrRun === 'function' ? {} : optionsOrRun
  const run = typeof optionsOrRun === 'function' ? optionsOrRun : maybeRun
  if (run === undefined) throw new TypeError(`The scenario "${name}" has nothing to run`)
  registered.push({ name, ids, profile: 'tck', on: BOTH, ...options, run })
}
