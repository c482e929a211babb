/** A binding, by its name on the agent card. */
export type Binding = 'JSONRPC' | 'HTTP+JSON'

/** Where a requirement shows itself: on a binding, or beside both (the card, the files of the repository). */
export type Surface = Binding | 'host'

/** M: must, S: should, y: may, -: the specification leaves it open, and this server promises it. */
export type Level = 'M' | 'S' | 'y' | '-'

/** One rule that this server keeps. */
export interface Requirement {
  /** Ours, and stable: scenarios cite it. */
  readonly id: string
  readonly level: Level
  /** Of the A2A specification 1.0.1; `-` where it says nothing. */
  readonly section: string
  readonly behaviour: string
  readonly on: readonly Surface[]
  /** The public kit's ids for it. */
  readonly kit: readonly string[]
  /** What has to be built before any scenario can show it. */
  readonly pending?: { readonly until: 'push delivery' | 'authentication'; readonly reason: string }
  /** Why no scenario shows it on these surfaces, though it is kept; never for a must. */
  readonly notShown?: string
}

type Details = Partial<Pick<Requirement, 'on' | 'kit' | 'pending' | 'notShown'>>

export const BOTH: readonly Binding[] = ['JSONRPC', 'HTTP+JSON']
export const JSON_RPC: readonly Binding[] = ['JSONRPC']
export const HTTP_JSON: readonly Binding[] = ['HTTP+JSON']
export const HOST: readonly Surface[] = ['host']

/** A row of the manifest; it concerns both bindings unless it says otherwise. */
export function requirement(id: string, level: Level, section: string, behaviour: string, details: Details = {}): Requirement {
  return { id, level, section, behaviour, on: BOTH, kit: [], ...details }
}
