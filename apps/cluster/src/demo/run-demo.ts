import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { TaskJson } from '@moorage/protocol'
import { killNow, type ProcessLog } from '../process-log.js'
import { textOf } from './fold.js'
import { type Finding, judge } from './judge.js'
import { TaskReader } from './task-reader.js'

export interface DemoOptions {
  /** Where clients reach the agents. */
  readonly url: string
  readonly log: ProcessLog
  readonly print: (line: string) => void
}

const TARGETS = ['agent 1', 'agent 2', 'worker 1', 'worker 2', 'Temporal', 'Postgres']
/** So long that the task is not over before the last of them is killed. */
const END = 400
/** How many events both readers get between two kills. */
const BETWEEN = 15

/** Kills each process in turn while two readers follow one task through the proxy, and resolves with whether nothing was lost. */
export async function runDemo(options: DemoOptions, signal: AbortSignal): Promise<boolean> {
  const { url, print } = options
  const begun = performance.now()
  const tell: Tell = (who, what) => print(`${((performance.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${who.padEnd(9)}  ${what}`)
  const text = `count to ${END}`
  tell('JSON-RPC', `sends "${text}" to ${url}/a2a, and reads the stream`)
  const sender = reader('JSON-RPC', { text, messageId: randomUUID() }, options, tell)
  const sending = sender.run(signal)
  const killing = sender
    .until(() => sender.folded.taskId !== undefined, signal)
    .then(async () => {
      const taskId = sender.folded.taskId ?? ''
      tell('HTTP+JSON', `subscribes to the same task, ${taskId}`)
      const readers = [sender, reader('HTTP+JSON', { taskId, lastEventId: 0 }, options, tell)] as const
      const [killed] = await Promise.all([killInTurn(readers, options.log, tell, signal), readers[1].run(signal)])
      return { taskId, readers, killed }
    })
  const [{ taskId, readers, killed }] = await Promise.all([killing, sending])
  const findings = judge({ readers, end: END, recorded: await getText(url, taskId, signal), targets: TARGETS, killed })
  print(['', ...findings.map(({ claim, holds }) => `  ${holds ? 'ok     ' : 'FAILED '}  ${claim}`), '', verdict(findings)].join('\n'))
  return findings.every(({ holds }) => holds)
}

type Tell = (who: string, what: string) => void

function reader(
  binding: TaskReader['binding'],
  begin: ConstructorParameters<typeof TaskReader>[0]['begin'],
  { url }: DemoOptions,
  tell: Tell,
): TaskReader {
  return new TaskReader({ url, binding, begin, onNews: (line) => tell(binding, line) })
}

/** Kills one process after the other, each when the one before serves again and both readers have got something new. Returns those it came to. */
async function killInTurn(readers: readonly TaskReader[], log: ProcessLog, tell: Tell, signal: AbortSignal): Promise<readonly string[]> {
  const killed: string[] = []
  for (const name of TARGETS) {
    const marks = readers.map(({ events }) => events.length + BETWEEN)
    await Promise.all(readers.map((one, index) => one.until(() => one.events.length >= (marks[index] ?? 0), signal)))
    const pid = log.pid(name)
    if (pid === undefined || readers.some(({ folded }) => folded.isOver)) return killed
    const where = readers.map(({ binding, position }) => `${binding} is at ${position}`).join(', ')
    tell('kill -9', `${name} (pid ${pid}); ${where}`)
    const again = log.nextStart(name, signal)
    const since = performance.now()
    killNow(pid)
    await again
    killed.push(name)
    tell('back', `${name} (pid ${log.pid(name)}), ${((performance.now() - since) / 1000).toFixed(1)} s later`)
  }
  return killed
}

/** The task's text, as soon as an agent answers: one may have been killed a moment ago. */
async function getText(url: string, taskId: string, signal: AbortSignal): Promise<string> {
  for (;;) {
    const response = await fetch(`${url}/a2a/tasks/${taskId}`, { headers: { 'A2A-Version': '1.0' }, signal }).catch(() => undefined)
    if (response?.ok) return textOf(((await response.json()) as TaskJson).artifacts ?? [])
    await response?.body?.cancel()
    await pause(200, undefined, { signal })
  }
}

function verdict(findings: readonly Finding[]): string {
  const failed = findings.filter(({ holds }) => !holds).length
  return failed === 0
    ? `PASSED: ${TARGETS.length} processes were killed, and each chunk came once and in order.`
    : `FAILED: ${failed} of ${findings.length} does not hold.`
}
