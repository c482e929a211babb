import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const MAINS = {
  agent: fileURLToPath(new URL('../../agent/dist/main.js', import.meta.url)),
  worker: fileURLToPath(new URL('../dist/main.js', import.meta.url)),
}

export interface RunningProcess {
  /** All that it has said so far. */
  output(): string
  /** Resolves with what it has said once that matches. */
  said(pattern: RegExp): Promise<RegExpExecArray>
  signal(name: NodeJS.Signals): void
  /** Resolves with the exit code, null after a signal. */
  readonly ended: Promise<number | null>
}

/** Runs an app as it was built, with lost turns noticed soon, until the test ends. */
export function runApp(name: keyof typeof MAINS, env: Readonly<Record<string, string>>): RunningProcess {
  const { PATH, HOME, TEMPORAL_CLI } = process.env
  const defaults = { PORT: '0', LOG_LEVEL: 'info', MOORAGE_HEARTBEAT_TIMEOUT_MS: '2000', MOORAGE_WAKE_AFTER_MS: '1000' }
  const child = spawn(process.execPath, [MAINS[name]], {
    env: { PATH, HOME, ...(TEMPORAL_CLI && { TEMPORAL_CLI }), ...defaults, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'close').then(([code]) => code as number | null)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { ...listen(child, ended), signal: (signal) => void child.kill(signal), ended }
}

function listen(child: ChildProcess, ended: Promise<unknown>): Pick<RunningProcess, 'output' | 'said'> {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
      child.emit('said')
    })
  }
  async function said(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(output)
      if (found !== null) return found
      const more = once(child, 'said')
      const isOver = await Promise.race([more.then(() => false), ended.then(() => true)])
      if (isOver && !pattern.test(output)) throw new Error(`It ended without a word like ${pattern}:\n${output}`)
    }
  }
  return { output: () => output, said }
}
