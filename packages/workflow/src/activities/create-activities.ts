import type { TaskActivities } from '../contract/activities.js'
import { currentExecution } from './execution.js'
import { pinned } from './failures.js'
import type { ActivityPorts } from './ports.js'
import { lookAgain } from './remaining.js'
import { runCommands } from './run-command.js'
import { runTurn } from './run-turn.js'

/** The Activities of one agent's tasks. */
export function createActivities(ports: ActivityPorts): TaskActivities {
  return {
    run_turn: ({ taskId }) => pinned(ports.logger, { taskId }, () => runTurn(ports, taskId, currentExecution())),
    run_command: ({ taskId }) => pinned(ports.logger, { taskId }, () => runCommands(ports, taskId, currentExecution())),
    look_again: ({ taskId }) => pinned(ports.logger, { taskId }, () => lookAgain(ports.store, taskId)),
  }
}
