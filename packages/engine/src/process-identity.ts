import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A process beyond doubt: a pid is given again to others, a pid with its start time is not. */
export interface ProcessIdentity {
  readonly pid: number
  /** When the process started, in the system's own form; compared, never computed with. */
  readonly start: string
}

/** The process that has this pid now; undefined where there is none or only its unreaped remains. */
export async function identifyProcess(pid: number): Promise<ProcessIdentity | undefined> {
  return process.platform === 'linux' ? identifyByProc(pid) : identifyByPs(pid)
}

/** Whether that very process still runs. */
export async function isLiving(identity: ProcessIdentity): Promise<boolean> {
  return (await identifyProcess(identity.pid))?.start === identity.start
}

/** This process. */
export async function identifySelf(): Promise<ProcessIdentity> {
  return (await identifyProcess(process.pid)) ?? { pid: process.pid, start: 'unknown' }
}

/** Waits until that process is gone; false where it still runs after so many milliseconds. */
export async function waitUntilGone(identity: ProcessIdentity, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (await isLiving(identity)) {
    if (performance.now() > deadline) return false
    await delay(25)
  }
  return true
}

/** Ends that process: SIGTERM, and SIGKILL where it still runs after the grace. False where it survives both. */
export async function endProcess(identity: ProcessIdentity, graceMs: number): Promise<boolean> {
  for (const [signal, waitMs] of [
    ['SIGTERM', graceMs],
    ['SIGKILL', 2_000],
  ] as const) {
    if (!(await isLiving(identity))) return true
    try {
      process.kill(identity.pid, signal)
    } catch {
      // It has ended by itself, or belongs to somebody else; the wait tells.
    }
    if (await waitUntilGone(identity, waitMs)) return true
  }
  return false
}

/** `/proc/<pid>/stat`: field 3 is the state, field 22 the start in clock ticks since the boot, which the boot's id completes. */
async function identifyByProc(pid: number): Promise<ProcessIdentity | undefined> {
  try {
    const [stat, boot] = await Promise.all([readFile(`/proc/${pid}/stat`, 'latin1'), readFile('/proc/sys/kernel/random/boot_id', 'latin1')])
    // Field 2 is the program's name in brackets, and may itself hold brackets and blanks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const start = fields[19]
    if (start === undefined || fields[0] === 'Z' || fields[0] === 'X') return undefined
    return { pid, start: `${start}@${boot.trim()}` }
  } catch {
    return undefined
  }
}

/** The same from `ps`, which tells the start to the second. */
export async function identifyByPs(pid: number): Promise<ProcessIdentity | undefined> {
  try {
    const { stdout } = await run('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      env: { LC_ALL: 'C', TZ: 'UTC', PATH: '/bin:/usr/bin' },
    })
    const [state, ...start] = stdout.trim().split(/\s+/)
    return state === undefined || state.startsWith('Z') || start.length === 0 ? undefined : { pid, start: start.join(' ') }
  } catch {
    return undefined
  }
}
