import { setTimeout as pause } from 'node:timers/promises'
import type { Fault } from './fault.js'
import type { Link } from './link.js'
import { pauseAll, resumeAll } from './started.js'

/** What a fault can hit. */
export interface Victim {
  /** Its processes, those that run now. */
  pids(): Promise<readonly number[]>
  /** Kills it, leaves it dead for so long, and resolves when it serves again. */
  kill(deadMs: number): Promise<void>
  /** The connections that are cut with it. */
  readonly links: readonly Link[]
}

/** Does to the victim what the fault says, and resolves when that is healed. It is healed also where the signal ends it. */
export async function strike(victim: Victim, fault: Fault, signal: AbortSignal): Promise<void> {
  if (fault.kind === 'kill') return victim.kill(fault.forMs)
  if (fault.kind === 'pause') return pauseProcesses(await victim.pids(), fault.forMs, signal)
  for (const link of victim.links) link.cut(fault.silent)
  await pause(fault.forMs, undefined, { signal }).catch(() => undefined)
  for (const link of victim.links) link.heal()
}

async function pauseProcesses(pids: readonly number[], forMs: number, signal: AbortSignal): Promise<void> {
  pauseAll(pids)
  await pause(forMs, undefined, { signal }).catch(() => undefined)
  resumeAll(pids)
}
