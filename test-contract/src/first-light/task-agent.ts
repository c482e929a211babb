/**
 * The conformance agent, whose answers are Tasks alone: what a blocking send has made is listed at once.
 * @module
 */
import type { Agent } from '@moorage/agent'
import { agent as conformanceAgent } from '../conformance-agent/agent.js'

export const agent: Agent = { ...conformanceAgent, reply: 'task' }
