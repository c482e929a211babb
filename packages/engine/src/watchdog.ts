/**
 * Runs one server for a parent and outlives it by seconds at most. Started in a session of its own with pipes to the parent: the first line of
 * stdin is the command (`WatchdogCommand`), and when stdin ends, which a killed parent's does too, the server is stopped. Reports to stdout, a
 * JSON line each (`WatchdogReport`); the server's stderr is passed on. A program, not a module: `@moorage/engine/watchdog` exists to find its file.
 * @module
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { WatchdogCommand, WatchdogReport } from './watchdog-protocol.js'

let stop: () => void = () => process.exit(0)

function report(line: WatchdogReport): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

function run({ file, args, graceMs }: WatchdogCommand): void {
  const server: ChildProcess = spawn(file, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  server.stderr?.on('data', (chunk: Buffer) => process.stderr.write(chunk))
  server.on('error', (error) => {
    report({ failed: error.message })
    process.exit(1)
  })
  server.on('spawn', () => report({ server: server.pid as number }))
  server.on('close', (code, signal) => {
    report({ ended: { code, signal } })
    process.exit(0)
  })
  stop = () => {
    server.kill('SIGTERM')
    setTimeout(() => server.kill('SIGKILL'), graceMs)
  }
}

// Only the pipe decides: a signal that is meant for everybody (a service manager stopping the whole group) must not stop the server before
// the parent has drained.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
// The parent's ends of these are gone once it is killed.
process.stdout.on('error', () => undefined)
process.stderr.on('error', () => undefined)

const input = createInterface({ input: process.stdin })
input.once('line', (line) => run(JSON.parse(line) as WatchdogCommand))
input.once('close', () => stop())
