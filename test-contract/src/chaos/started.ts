import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { send } from './send.js'

const started = new Map<number, NodeJS.Signals>()
const paused = new Set<number>()

/** Starts Node; `endAtOnce` is the signal with which `killStarted` ends it. */
export function startNode(args: readonly string[], options: SpawnOptions, endAtOnce: NodeJS.Signals = 'SIGKILL'): ChildProcess {
  const child = spawn(process.execPath, args, options)
  const { pid } = child
  if (pid === undefined) return child
  started.set(pid, endAtOnce)
  child.once('exit', () => started.delete(pid))
  return child
}

/** Pauses processes, whoever started them. */
export function pauseAll(pids: readonly number[]): void {
  for (const pid of pids) {
    paused.add(pid)
    send(pid, 'SIGSTOP')
  }
}

export function resumeAll(pids: readonly number[]): void {
  for (const pid of pids) {
    paused.delete(pid)
    send(pid, 'SIGCONT')
  }
}

/**
 * Ends at once what was started and what is paused; a paused process would not see that this one has gone. The engine and Postgres, which do see
 * it, end by themselves.
 */
export function killStarted(): void {
  for (const pid of paused) send(pid, 'SIGKILL')
  for (const [pid, signal] of started) send(pid, signal)
}
