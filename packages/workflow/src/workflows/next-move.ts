/** One Activity at a time in each lane. */
export type Lane = 'turn' | 'command' | 'look'

/** What the run knows when it decides. */
export interface Situation {
  readonly terminal: boolean
  /** Whether something waits that runs a turn. */
  readonly message: boolean
  readonly command: boolean
  readonly look: boolean
  readonly running: ReadonlySet<Lane>
  /** Whether the Event History has become so long that the run should be continued as a new one. */
  readonly historyFull: boolean
}

export type Move = Lane | 'park' | 'end' | 'continue-as-new'

/** What the run does next; undefined: it waits for a lane or a wake. */
export function nextMove(situation: Situation): Move | undefined {
  if (situation.terminal) return 'end'
  const { message, command, look, running, historyFull } = situation
  // A full history starts nothing new but what a running turn must not hold up, so that the lanes come to rest.
  if (message && !running.has('turn') && !historyFull) return 'turn'
  if (command && !running.has('command') && (!historyFull || running.has('turn'))) return 'command'
  if (look && !running.has('look') && !historyFull) return 'look'
  if (running.size > 0) return undefined
  if (!historyFull) return 'park'
  return message || command || look ? 'continue-as-new' : 'end'
}
