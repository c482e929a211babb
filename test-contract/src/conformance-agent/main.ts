/**
 * `npm run conformance-agent`: serves the conformance agent, everything in one process, until a signal ends it.
 * @module
 */
import { runApp } from '@moorage/bootstrap'
import { readConfig } from './config.js'
import { startConformanceAgent } from './start.js'

runApp({
  readConfig: () => readConfig(process.env, process.cwd()),
  start: (config, ports) => startConformanceAgent(config, { ...ports, env: process.env }),
  announce: ({ url }) => `The conformance agent is served at ${url}\n  Agent Card  ${url}/.well-known/agent-card.json\n`,
})
