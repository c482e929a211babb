/**
 * The tables that a task has rows in, beside `tasks` and `inbox`, with what follows `task_id` in their primary keys. What is not in this list is
 * not removed with its task.
 */
export const TASK_TABLES = {
  wakes: [],
  task_participants: ['participant'],
  task_history: ['ordinal'],
  task_events: ['seq'],
  artifacts: ['artifact_id'],
  artifact_parts: ['artifact_id', 'ordinal'],
  turns: ['turn'],
  turn_artifacts: ['turn', 'artifact_id'],
  steps: ['turn', 'name'],
  push_configs: ['config_id'],
} as const
