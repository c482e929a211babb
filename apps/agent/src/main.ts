/**
 * apps/agent: serves one agent, as the environment says, until a signal ends it.
 * @module
 */
import { randomUUID } from 'node:crypto'
import { runApp } from '@moorage/bootstrap'
import { announcement } from './announcement.js'
import { readConfig } from './config.js'
import { startAgent } from './start.js'

runApp({
  readConfig: () => readConfig(process.env, process.cwd()),
  start: (config, ports) => startAgent(config, { ...ports, env: process.env }),
  announce: (running) => announcement({ ...running, messageId: randomUUID() }),
})
