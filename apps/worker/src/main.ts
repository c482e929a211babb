/**
 * apps/worker: runs the turns and commands of agents, as the environment says, until a signal ends it.
 * @module
 */
import { runApp } from '@moorage/bootstrap'
import { announcement } from './announcement.js'
import { readConfig } from './config.js'
import { startWorker } from './start.js'

runApp({
  readConfig: () => readConfig(process.env, process.cwd()),
  start: (config, ports) => startWorker(config, { ...ports, env: process.env }),
  announce: (running) => announcement(running),
})
