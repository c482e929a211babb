import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { watchedArguments } from './watched-arguments.js'

/** Starts the program, tells its process id, and does nothing more. */
const PARENT = `
  const child = require('node:child_process').spawn('/bin/sh', JSON.parse(process.argv[1]), { detached: true, stdio: ['pipe', 'inherit', 'inherit'] })
  process.stderr.write(child.pid + '\\n')
  setInterval(() => {}, 1000)`

/** Says that it runs, and when it is interrupted. */
const PROGRAM = `
  process.on('SIGINT', () => { console.log('interrupted'); process.exit() })
  setInterval(() => {}, 1000)
  console.log('running')`

it('interrupts the program when its parent is killed', async () => {
  const args = watchedArguments(process.execPath, ['-e', PROGRAM])
  const parent = spawn(process.execPath, ['-e', PARENT, JSON.stringify(args)], { stdio: ['ignore', 'pipe', 'pipe'] })
  const says = createInterface({ input: parent.stdout })[Symbol.asyncIterator]()
  const [pid] = (await once(createInterface({ input: parent.stderr }), 'line')) as [string]
  onTestFinished(() => endIfAlive(Number(pid)))
  expect((await says.next()).value).toBe('running')
  parent.kill('SIGKILL')
  expect((await says.next()).value).toBe('interrupted')
  expect((await says.next()).done).toBe(true)
})

function endIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended, as it should.
  }
}
