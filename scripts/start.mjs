/**
 * `npm start`: installs and builds what is not yet there, then runs apps/agent until a signal ends it.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { alone, install, ROOT, requireNode, say, tool } from './setup.js'

/** One Ctrl-C arrives twice: from the terminal, and from npm, which passes it on. */
const SAME_SIGNAL_MS = 150

requireNode()
await alone(async () => {
  insist(await install(), 'The dependencies could not be installed.')
  insist(
    await tool(['turbo', 'run', 'build', '--filter=@moorage/app-agent', '--output-logs=errors-only'], { quiet: true }),
    'The build failed.',
  )
})
runAgent()

function insist({ code, output }, sentence) {
  if (code === 0) return
  process.stderr.write(output)
  say(sentence)
  process.exit(1)
}

/**
 * The agent has a process group of its own, so that a Ctrl-C reaches it once, through here. When this process is killed, the agent sees
 * its channel close and stops by itself.
 */
function runAgent() {
  const child = spawn(process.execPath, [join(ROOT, 'apps', 'agent', 'dist', 'main.js')], {
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  let last = Number.NEGATIVE_INFINITY
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      const now = performance.now()
      if (now - last > SAME_SIGNAL_MS) child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal)
      last = now
    })
  }
  child.on('error', (error) => {
    say(`The agent could not be started: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGKILL' ? 137 : 1)))
}
