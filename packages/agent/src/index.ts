/**
 * What a user writes: one agent, its commands, its turn. Imports neither Temporal nor a database.
 * @module
 */
export { type Command, type CommandRun, command, type Reply } from './command.js'
export { type Content, toParts } from './content.js'
export {
  type Agent,
  type AgentCardInput,
  type AgentOptions,
  defineAgent,
  type ExtendCard,
  type InputSchema,
  isAgent,
} from './define-agent.js'
export {
  allow,
  type CommandInvoked,
  type Policies,
  type Policy,
  type PolicyDecision,
  type PolicyTask,
  type RequestReceived,
  refuse,
  type TaskCreated,
} from './policy.js'
export type { Principal, Sender } from './principal.js'
export type {
  AppendOptions,
  ArtifactOptions,
  ArtifactWriter,
  Authorization,
  Outcome,
  ReceivedMessage,
  StepContext,
  Turn,
  TurnContext,
} from './turn.js'
